"""Texts that are no logbooks: every fault is found, and where it is."""

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.engine import events as happened
from fathom.engine.logbook import BadLogbook, Logbook, book, header, read, write
from fathom.words import CREWS
from tests.duels.files import text as duel_text
from tests.duels.files import without_hearing
from tests.duels.short import SHORT, TEXT, TOP, swapped, with_row

A, B = CREWS
LineEdit = Callable[[list[str], random.Random], None]


def bad(text: str) -> tuple[int, int, str]:
    """Line, column and complaint about the text."""
    with pytest.raises(BadLogbook) as caught:
        read(text)
    return caught.value.line, caught.value.column, caught.value.what


def with_words(below: int, words: str) -> str:
    """The short game with other words in one line, its number kept."""
    rows = TEXT.split("\n")
    number = re.match(" *[0-9]+ +", rows[TOP + below - 1])
    assert number
    rows[TOP + below - 1] = number[0] + words
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("old", "new", "below", "what"),
    [
        ("   2  blue starts", "   3  blue starts", 2, "expected '   2  ' or '   1    '"),
        ("   2  blue starts", "  2  blue starts", 2, "expected '   2  ' or '   1    '"),
        ("   2  blue starts", "\n   2  blue starts", 2, "expected '   2  ' or '   1    '"),
        ("   1  yellow starts", "   0  yellow starts", 1, "expected '   1  '"),
        ("   5    play begins", "   5  play begins", 6, "expected '   6  ' or '   5    '"),
        ("   5    play begins", "   6  play begins", 7, "expected '   7  ' or '   6    '"),
    ],
)
def test_a_wrong_number_is_found(old: str, new: str, below: int, what: str) -> None:
    assert bad(swapped(old, new)) == (TOP + below, 1, what)


@pytest.mark.parametrize(
    ("below", "words", "rest", "what"),
    [
        (1, "  yellow dives", "  yellow dives", "expected one of yellow, blue, mine, nobody, old"),
        (1, "green dives", "green dives", "expected one of yellow, blue, mine, nobody, old"),
        (1, "yellow hopes", "hopes", "expected one of answers, calls, crosses"),
        (1, "yellow", "", "expected one of answers, calls, crosses"),
        (1, "yellow starts at C2", " starts at C2", "expected ' starts on '"),
        (1, "yellow starts on 44", "44", "expected a point such as H8"),
        (1, "yellow starts on C22", "C22", "'C22' is not a point"),
        (1, "yellow starts on C02", "C02", "'C02' is not a point"),
        (1, "yellow starts on K5", "K5", "K5 is not on this chart"),
        (1, "yellow starts on C2.", ".", "expected the end of the line"),
        (7, "yellow sets course X", "X", "expected one of N, S, E, W"),
        (3, 'blue writes "a" at -5,012', "12", "expected the end of the line"),
        (
            3,
            r'blue writes "\u0061" at 1,2',
            r'\u0061" at 1,2',
            "expected 'blue writes \"a\" at 1,2'",
        ),
        (3, r'blue writes "\ud800" at 1,2', r'\ud800" at 1,2', "expected 'blue writes"),
        (3, r'blue writes "\x" at 1,2', r'"\x" at 1,2', "Invalid \\escape"),
        (3, "blue writes here at 1,2", "here at 1,2", "expected a JSON string"),
        (12, "turn of blue ends, yellow takes 1 turns", "takes 1 turns", "yellow is next'"),
        (3, "blue wipes the sheet (radio operator)", " (radio operator)", "expected no name"),
        (3, "blue wipes the sheet (cook)", "(cook)", "one of captain, first mate, engineer"),
        (3, "blue wipes the sheet (captain of pink)", "(captain of pink)", "one of captain, first"),
        (
            3,
            "blue wipes the sheet (captain of yellow)",
            " (captain of yellow)",
            "(radio operator of",
        ),
        (9, "play begins (captain)", "(captain)", "expected who gave the order, one of captain"),
    ],
)
def test_wrong_words_are_found(below: int, words: str, rest: str, what: str) -> None:
    text = with_words(below, words)
    line, column, complaint = bad(text)
    assert line == TOP + below
    assert text.split("\n")[line - 1][column - 1 :] == rest
    assert what in complaint


@pytest.mark.parametrize(
    ("below", "words", "what"),
    [
        (
            3,
            "blue wipes the sheet (radio operator of yellow)",
            "'yellow wipes the sheet' comes here",
        ),
        (10, "yellow calls mine ready", "no order could have brought this about"),
        (11, "blue surfaces in sector 3", "by the rules, 'blue surfaces in sector 4' comes here"),
        (12, "turn of blue ends, yellow takes 2 turns", "yellow takes 3 turns' comes here"),
        (13, "yellow sets course W", "the rules forbid this: move.no-crossing"),
        (13, "blue sets course E", "the rules forbid this: turn.yours"),
        (16, "yellow crosses out E1", "the rules forbid this: breakdown.cross"),
        (16, "yellow crosses out E99", "the rules forbid this: breakdown.sheet"),
        (17, "yellow lays a mine on H8", "the rules forbid this: mine.lay"),
    ],
)
def test_what_the_rules_forbid_is_found(below: int, words: str, what: str) -> None:
    line, column, complaint = bad(with_words(below, words))
    assert (line, column) == (TOP + below, 1)
    assert what in complaint


def test_what_is_missing_or_too_much_is_found() -> None:
    missing = swapped("  12    yellow calls mine ready\n", "")
    assert bad(missing) == (TOP + 15, 1, "by the rules, 'yellow calls mine ready' comes here")
    too_much = swapped("E2\n", "E2\n  13    blue dives\n")
    assert bad(too_much) == (TOP + 17, 1, "by the rules, nothing more follows here")


@pytest.mark.parametrize(
    ("old", "new", "field", "what"),
    [
        ("logbook = 1", "logbook = 2", "logbook", "expected logbook = 1"),
        ("logbook = 1", "logbook = true", "logbook", "Expected `int`, got `bool`"),
        ("rules = 1", "rules = 2", "rules", "expected rules = 1, as the set-up says"),
        ('rulebook = "captain-sonar"', 'rulebook = "sonar"', "rulebook", "as the set-up says"),
        ('chart = "charlie-10"', 'chart = "delta-10"', "chart", 'expected chart = "charlie-10"'),
        ("yellow: Yellow", "yellow: Red", "crews", "as the set-up says"),
        ('"yellow wins (', '"blue wins (', "result", "expected result = 'yellow wins (end.aban"),
        ('"yellow wins (end.abandon)', '"unfinished', "result", "yellow wins (end.abandon)"),
        ("rules = 1", "rules = 1\nround = 3", "logbook", "unknown field `round`"),
        ('activations = "between-courses"', 'activations = "none"', "activations", "Invalid enum"),
        ('colours = ["yellow", "blue"]', 'colours = ["blue", "blue"]', "colours", "two colours"),
        ("blast_direct = 2\n", "", "[setup.book]", ""),
        ("torpedo_range = 4", "torpedo_range = 40000", "torpedo_range", "Expected `int` <= 14"),
        ("longest = 2000", "longest = 2000000", "[setup]", "a number is larger than 10000"),
        ("closing = 34", "", "[setup.hull]", "missing required field `closing`"),
        ('"green", circuit = "south"', '"red", circuit = "S"', "[setup.sheet]", "small letters"),
        ('{ name = "W2",', '{ name = "W1",', "[setup.sheet]", "two symbols have the same name"),
        ('{ name = "W2",', '{ name = "nothing",', "[setup.sheet]", "no symbol's name"),
        ('name = "Blue 1"', 'name = " Blue 1"', "[setup]", "crew.names"),
        ('"Blue 1", posts = ["captain", ', '"Blue 1", posts = [', "[setup]", "crew.posts"),
        ('special = "none"', 'special = "volcanoes"', "[setup]", "there must be two volcanoes"),
    ],
)  # fmt: skip
def test_a_bad_header_is_found(old: str, new: str, field: str, what: str) -> None:
    text = swapped(old, new)
    if not what:
        assert read(text) == SHORT
        return
    line, column, complaint = bad(text)
    found = text.splitlines()[line - 1]
    assert found == field if field.startswith("[") else found.startswith(f"{field} =")
    assert column == 1
    assert what in complaint


def test_toml_that_is_none_is_found_where_it_is() -> None:
    assert bad(swapped("rules = 1", "rules = = 1"))[:2] == (2, 9)
    assert bad(swapped("rules = 1", "rules = [1"))[0] in range(2, TOP)
    assert bad("x = " + "[" * 5000 + "\n---\n") == (1, 1, "the header is nested too deeply")
    assert bad(f"x = {'9' * 5000}\n---\n")[0] == 1


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ({1: "?........."}, "unknown mark '?'"),
        ({1: "........."}, "this row has 10 points, the first 9"),
        ({1: ".#........", 2: "#........."}, "cut off from the rest"),
        ({1: ".\\n........"}, "the first row has 1 points"),
    ],
)
def test_a_chart_that_no_file_could_hold_is_found(rows: dict[int, str], what: str) -> None:
    text = TEXT
    for number, row in rows.items():
        text = with_row(text, number, row)
    assert what in bad(text)[2]


def test_a_text_that_is_no_logbook_is_found() -> None:
    assert bad("")[2] == "expected a header and a line ---"
    assert bad("---\n") == (1, 1, "expected logbook = 1")
    assert bad("logbook = 1\n---\n")[2].startswith("Object missing required field")
    assert bad(TEXT[:-1]) == (TOP + 19, 1, "the logbook is cut off: its last line has no end")
    assert bad(TEXT[: TEXT.index("\n---\n") + 4])[2].startswith("the logbook is cut off")
    assert bad(TEXT + "\n")[:2] == (TOP + 20, 1)
    assert bad(swapped("Charlie", "Char\ud800lie"))[2] == "half a character"


def test_nothing_follows_the_end() -> None:
    line, _, what = bad(TEXT + "  16  yellow sets course E\n")
    assert what.startswith("expected result = 'unfinished'")
    text = swapped('result = "yellow wins (end.abandon)"', 'result = "unfinished"')
    line, _, what = bad(text + "  16  yellow sets course E\n")
    assert (line, what) == (TOP + 20, "the rules forbid this: end.abandon")


def test_a_text_may_not_be_endless() -> None:
    with pytest.raises(BadLogbook, match=f"more than {len(TEXT) - 1} characters"):
        read(TEXT, limit=len(TEXT) - 1)
    assert read(TEXT, limit=len(TEXT)) == SHORT
    assert "more than 8000000 characters" in bad("x" * 8_000_001)[2]
    assert "header has more than 100000" in bad("#" * 100_000 + "\n" + TEXT)[2]
    assert (
        "at most 200" in bad(swapped("\n[setup]\n", f'\n[info]\nx = "{"y" * 201}"\n\n[setup]\n'))[2]
    )


# Games of other rules


def of_older_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (header, book):
        monkeypatch.setattr(module, "RULES_VERSION", 2)


def test_a_game_of_older_rules_is_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    of_older_rules(monkeypatch)
    assert read(TEXT) == SHORT
    otherwise = read(swapped("crosses out E2", "crosses out E1"))
    assert otherwise.steps[12].events == (happened.SymbolCrossed(A, "E1"),)


@pytest.mark.parametrize(
    ("old", "new", "below", "what"),
    [
        ("crosses out E2", "crosses out E99", 16, "this can't have happened here"),
        ("12  yellow marks mine", "12  yellow reports ready to dive", 14, "can't have happened"),
        ("turn of yellow ends, blue is next", "nobody wins (end.draw)", 11, "the game is over"),
    ],
)  # fmt: skip
def test_older_rules_do_not_excuse_everything(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, below: int, what: str
) -> None:
    of_older_rules(monkeypatch)
    line, _, complaint = bad(swapped(old, new))
    assert line - TOP == below
    assert what in complaint


def test_a_game_of_newer_rules_is_not_read() -> None:
    text = swapped("rules = 1", "rules = 2").replace("version = 1", "version = 2")
    assert "this program knows 1" in bad(text)[2]


# Hostile texts

SOURCES = [
    TEXT,
    *(
        without_hearing(duel_text(name))
        for name in ("volcanoes", "damaged", "old-mines", "captain-sonar-real-time")
    ),
    *(without_hearing(duel_text(name)) for name in ("sonar-real-time", "closed-stations")),
]


def change_letter(rows: list[str], dice: random.Random) -> None:
    at = dice.randrange(len(rows))
    place = dice.randrange(len(rows[at]) + 1)
    letter = dice.choice('09-[]{}"=, \n\r\\\0aAZé#.\ud800\u2028')
    rows[at] = rows[at][:place] + letter + rows[at][place + 1 :]


def swap_lines(rows: list[str], dice: random.Random) -> None:
    one, two = dice.randrange(len(rows)), dice.randrange(len(rows))
    rows[one], rows[two] = rows[two], rows[one]


def repeat_line(rows: list[str], dice: random.Random) -> None:
    rows.insert(dice.randrange(len(rows)), dice.choice(rows))


def drop_line(rows: list[str], dice: random.Random) -> None:
    del rows[dice.randrange(len(rows))]


def change_number(rows: list[str], dice: random.Random) -> None:
    at = dice.randrange(len(rows))
    value = dice.choice(["0", "-1", "1", "3", "9999", "10001", "1e9", "inf", "9" * 30])
    rows[at] = re.sub(r"\d+", value, rows[at], count=1)


def change_word(rows: list[str], dice: random.Random) -> None:
    at = dice.randrange(len(rows))
    words = rows[at].split(" ")
    words[dice.randrange(len(words))] = dice.choice(dice.choice(rows).split(" "))
    rows[at] = " ".join(words)


def change_value(rows: list[str], dice: random.Random) -> None:
    """A field of the header takes the value of another."""
    fields = [at for at, row in enumerate(rows) if " = " in row]
    if not fields:
        return
    one, two = dice.choice(fields), dice.choice(fields)
    rows[one] = rows[one].partition(" = ")[0] + " = " + rows[two].partition(" = ")[2]


def flip(rows: list[str], dice: random.Random) -> None:
    """A field of the header takes another value of its kind."""
    other = {"true": "false", "false": "true", '"trace"': '"three-turns"', '"pass"': '"trace"'}
    at = dice.choice([at for at, row in enumerate(rows) if row.rpartition(" ")[2] in other] or [0])
    before, blank, value = rows[at].rpartition(" ")
    rows[at] = before + blank + other.get(value, value)


CHANGES: tuple[LineEdit, ...] = (
    *(change_letter, swap_lines, repeat_line, drop_line),
    *(change_number, change_word, change_value, flip),
)


CHANGED = given(
    st.sampled_from(SOURCES),
    st.lists(st.sampled_from(CHANGES), min_size=1, max_size=3),
    st.randoms(),
)


@CHANGED
@settings(max_examples=40)
def test_a_changed_text_is_a_logbook_or_none(
    source: str, changes: list[LineEdit], dice: random.Random
) -> None:
    logbook_or_none(source, changes, dice)


@pytest.mark.slow
@CHANGED
@settings(max_examples=600)
def test_every_changed_text_is_a_logbook_or_none(
    source: str, changes: list[LineEdit], dice: random.Random
) -> None:
    logbook_or_none(source, changes, dice)


def logbook_or_none(source: str, changes: list[LineEdit], dice: random.Random) -> None:
    """The changed text is read, to the letter, or what is wrong with it is told."""
    rows = source.split("\n")
    for change in changes:
        change(rows, dice)
    text = "\n".join(rows)
    told, wrong = read_or_not(text)
    if told is not None:
        assert read(write(told)) == told
    if wrong is not None:
        assert 1 <= wrong.line <= text.count("\n") + 2
        assert wrong.column >= 1
        assert str(wrong) == f"line {wrong.line}, column {wrong.column}: {wrong.what}"


def read_or_not(text: str) -> tuple[Logbook | None, BadLogbook | None]:
    """The logbook, or what is wrong with it; any other exception is a fault of the reader."""
    try:
        return read(text), None
    except BadLogbook as wrong:
        return None, wrong


@given(st.text(max_size=200))
def test_any_text_is_no_logbook(text: str) -> None:
    with pytest.raises(BadLogbook):
        read(text)
