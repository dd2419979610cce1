"""The rules in other languages: the same rules, and what is missing is told in English."""

import re

import pytest

from fathom.rules import library
from fathom.rules.text import read_rules
from fathom.rules.translation import keys, missing, read_translation, translate

OTHERS = [language for language in library.LANGUAGES if language != "en"]

ENGLISH = read_rules("""
[[section]]
name = "captain"
number = 1
title = "The captain"

[[section]]
name = "end"
number = 2
title = "The end"

[[rule]]
name = "move.course"
section = "captain"
title = "Setting a course"
text = "The submarine moves one point."
ruling = "Never two."
[rule.books]
captain-sonar = "North."
captain-sonar-ru = "Nord."
captain-sonar-2 = "North, again."
sonar = "North, too."

[[rule]]
name = "end.sunk"
section = "end"
title = "Sunk"
text = "The other crew wins."
only = ["sonar"]
""")

PARTLY = """
section = [{ name = "end", title = "Koniec" }]

[[rule]]
name = "move.course"
text = "Okręt płynie o jeden punkt."
books.sonar = "Północ."

[[rule]]
name = "end.sunk"
section = "end"
only = ["sonar"]
title = "Zatopiony"
"""


def test_what_is_translated_is_laid_over_the_english() -> None:
    text = translate(ENGLISH, read_translation(PARTLY))
    assert [section.title for section in text.sections] == ["The captain", "Koniec"]
    course, sunk = text.rules
    assert (course.title, course.text, course.ruling) == (
        "Setting a course",
        "Okręt płynie o jeden punkt.",
        "Never two.",
    )
    assert course.books
    assert course.books == {
        "captain-sonar": "North.",
        "captain-sonar-ru": "Nord.",
        "captain-sonar-2": "North, again.",
        "sonar": "Północ.",
    }
    assert (sunk.title, sunk.text, sunk.only) == ("Zatopiony", "The other crew wins.", ("sonar",))


def test_what_is_missing_is_known() -> None:
    assert missing(ENGLISH, read_translation(PARTLY)) == [
        "section captain",
        "rule move.course, title",
        "rule move.course, ruling",
        "rule move.course, books.captain-sonar",
        "rule move.course, books.captain-sonar-ru",
        "rule move.course, books.captain-sonar-2",
        "rule end.sunk, text",
    ]


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ('name = "move.course"', 'name = "move.corse"', "rule move.corse, text is not in"),
        ('name = "end", title', 'name = "fin", title', "section fin is not in the English"),
        ("books.sonar", "books.chess", "rule move.course, books.chess is not in the English"),
        ('title = "Zat', 'ruling = "Zat', "rule end.sunk, ruling is not in the English"),
        ('name = "move.course"', 'name = "end.sunk"', "rule 'end.sunk' is there 2 times"),
        ('section = "end"', 'section = "captain"', "rule end.sunk says 'captain', but"),
        ('only = ["sonar"]', "only = []", "rule end.sunk says (), but in English it is ('sonar"),
        ('title = "Koniec"', 'title = "Koniec", number = 3', "section end says 3, but"),
    ],
)
def test_a_translation_says_nothing_of_its_own(written: str, instead: str, complaint: str) -> None:
    assert written in PARTLY
    with pytest.raises(ValueError, match=re.escape(complaint)):
        translate(ENGLISH, read_translation(PARTLY.replace(written, instead)))


@pytest.mark.parametrize("wrong", ['titel = "x"', 'title = ""', "title = 7"])
def test_a_translation_has_the_same_fields(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"titel|length|Expected"):
        read_translation(f'[[rule]]\nname = "end.sunk"\n{wrong}\n')


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_is_complete_once_it_is_there(language: str) -> None:
    english, text = library.rule_text(), library.rule_text(language)
    assert text.names == english.names
    assert list(keys(text)) == list(keys(english))
    words = library.rule_words(language)
    if words is None:
        pytest.skip(f"nobody has translated the rules into {language} yet")
    assert missing(english, words) == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_points_to_the_same_rules(language: str) -> None:
    english, text = library.rule_text(), library.rule_text(language)
    for rule, same in zip(text.rules, english.rules, strict=True):
        assert mentioned(rule.text) == mentioned(same.text), rule.name
        assert mentioned(rule.ruling or "") == mentioned(same.ruling or ""), rule.name


def mentioned(words: str) -> list[str]:
    return sorted(re.findall("`(.*?)`", words))


def test_an_unknown_language_is_not_in_the_library() -> None:
    with pytest.raises(library.Unknown, match="no language called 'tlh'"):
        library.rule_text("tlh")
