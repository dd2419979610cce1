import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from fathom.rules.text import Rule, RuleText, UnknownRule, read_rules, with_books

# The catalogue: every rule of the game by name, in the order of the rules.
NAMES = """
chart.any
crew.posts crew.sharing crew.sizes crew.mode crew.names crew.orders crew.shy-mate
chart.points chart.letters chart.sectors chart.islands chart.same
scenario.ice scenario.ice-field scenario.old-mines scenario.volcanoes scenario.damaged
scenario.corners scenario.gauge
start.choices start.place start.first start.empty start.radio
move.course move.no-crossing move.islands move.edge move.own-mine move.acknowledge move.blackout
turn.order turn.yours
charge.one charge.full charge.sizes damage.boxes energy.gauge
breakdown.cross breakdown.kinds breakdown.sheet repair.circuit damage.radiation damage.panel
repair.first damage.announced breakdown.misuse
surface.announce surface.erase surface.turns surface.trace surface.dive surface.idle
surface.then-system surface.quick
system.charged system.intact system.disabled system.who system.once system.spent system.stop
torpedo.range torpedo.sector
blast.direct blast.near blast.miss blast.self blast.mine-destroyed blast.chain
mine.lay mine.armed mine.trigger mine.circuits
drone.ask sonar.answer sonar.answer-true silence.move silence.one
end.sunk end.sudden-death end.draw end.goal end.resign end.abandon end.time
radio.plot radio.erase secret.enemy secret.crew secret.radio secret.spectators
""".split()

BOOKS = ("captain-sonar", "captain-sonar-ru", "captain-sonar-2", "sonar")

# Where the rulebooks differ, and the rule that tells of it.
DIFFERENCES = {
    "players": "crew.sizes",
    "posts in a crew": "crew.posts",
    "real time allowed with": "crew.mode",
    "crew colours": "crew.names",
    "damage that sinks": "end.sunk",
    "chart, turn by turn and in real time": "chart.points",
    "gauges": "charge.sizes",
    "engineer's sheet": "breakdown.sheet",
    "drone and sonar activated by": "system.who",
    "own mine blocks own way": "move.own-mine",
    "systems": "system.once",
    "a system right after diving": "surface.then-system",
    "activating a broken system": "system.intact",
    "damage and self-repair at once": "repair.first",
    "a mine is armed": "mine.armed",
    "triggering needs intact weapon circuits": "mine.circuits",
    "an explosion next to a mine sets it off": "blast.chain",
    "torpedo reaches": "torpedo.range",
    "damage on the point": "blast.direct",
    "damage next to the point": "blast.near",
    "sonar answer": "sonar.answer",
    "silence, and whether it charges": "silence.move",
    "surfacing tells the enemy": "surface.announce",
    "surfacing, turn by turn": "surface.turns",
    "surfacing, real time": "surface.trace",
    "blackout": "move.blackout",
    "both sunk in the same step": "end.draw",
    "the four courses are called": "move.course",
}

SMALL = """
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

[[rule]]
name = "end.sunk"
section = "end"
title = "Sunk"
text = "The other crew wins."
"""


@pytest.fixture(scope="module")
def text() -> RuleText:
    return read_rules(files("fathom").joinpath("data", "rules.toml").read_text("utf-8"))


def sayings(rule: Rule) -> Iterator[str]:
    """Everything that is told of a rule."""
    yield rule.text
    yield rule.ruling or ""
    yield from (said for _, said in rule.books.items()) if rule.books else ()


def test_every_rule_is_told_once_and_in_order(text: RuleText) -> None:
    assert list(text.names) == NAMES


def test_every_section_has_rules(text: RuleText) -> None:
    assert all(text.within(section) for section in text.sections)
    assert sum(len(text.within(section)) for section in text.sections) == len(NAMES)


@pytest.mark.parametrize("name", DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_a_difference_is_told_book_by_book(text: RuleText, name: str) -> None:
    books = text.find(name).books
    assert books
    assert tuple(book for book, _ in books.items()) == BOOKS
    assert len({said for _, said in books.items()}) > 1


def test_a_rule_of_all_books_names_none(text: RuleText) -> None:
    assert all(len(rule.only) < len(BOOKS) for rule in text.rules)


def test_books_are_named_once_and_in_order(text: RuleText) -> None:
    for rule in text.rules:
        assert [book for book in BOOKS if book in rule.only] == list(rule.only), rule.name


def test_rules_point_only_to_other_rules(text: RuleText) -> None:
    for rule in text.rules:
        mentioned = {name for said in sayings(rule) for name in re.findall("`(.*?)`", said)}
        assert mentioned <= set(NAMES) - {rule.name}, rule.name


def test_words_are_tidy(text: RuleText) -> None:
    for rule in text.rules:
        for said in filter(None, sayings(rule)):
            assert said == " ".join(said.split()), rule.name
            assert said[-1] == ".", rule.name


def test_a_rule_is_found_by_name() -> None:
    rule = read_rules(SMALL).find("end.sunk")
    assert rule.title == "Sunk"
    assert rule.ruling is None
    assert rule.only == ()
    assert rule.books is None


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("move.corse", "no rule is called 'move.corse'; did you mean move.course?"),
        ("sunk", "no rule is called 'sunk'; did you mean end.sunk?"),
        ("periscope", "no rule is called 'periscope'"),
    ],
)
def test_an_unknown_rule_is_answered_with_close_ones(asked: str, answer: str) -> None:
    with pytest.raises(UnknownRule) as unknown:
        read_rules(SMALL).find(asked)
    assert str(unknown.value) == answer
    assert isinstance(unknown.value, KeyError)


def test_the_closest_names_come_first(text: RuleText) -> None:
    with pytest.raises(UnknownRule) as unknown:
        text.find("no-crossing")
    assert unknown.value.close[0] == "move.no-crossing"


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ('"end.sunk"', '"move.course"', "rule 'move.course' is there 2 times"),
        ('name = "end"', 'name = "captain"', "section 'captain' is there 2 times"),
        ("number = 2", "number = 3", "section 'end' has number 3, not 2"),
        ('section = "end"', 'section = "fin"', "rule 'end.sunk' is in an unknown section 'fin'"),
        ('"end.sunk"', '"Sunk"', "matching regex"),
        ('title = "Sunk"', 'title = ""', "length >= 1"),
        ('title = "Sunk"', 'titel = "Sunk"', "unknown field `titel`"),
        ("[[rule]]", "[[rule]", "Expected"),
    ],
)
def test_bad_rules_are_refused(written: str, instead: str, complaint: str) -> None:
    assert written in SMALL
    with pytest.raises(ValueError, match=re.escape(complaint)):
        read_rules(SMALL.replace(written, instead))


def test_rules_out_of_their_sections_order_are_refused() -> None:
    swapped = SMALL.replace('section = "captain"', 'section = "x"')
    swapped = swapped.replace('section = "end"', 'section = "captain"')
    swapped = swapped.replace('section = "x"', 'section = "end"')
    with pytest.raises(ValueError, match=r"'end\.sunk' comes after 'move\.course' of a later"):
        read_rules(swapped)


KNOWN: dict[str, tuple[str, ...]] = {
    "captain-sonar": (),
    "sonar": (),
    "wolfpack": ("captain-sonar",),
    "chess": (),
}


def told(line: str) -> Rule:
    text = read_rules(SMALL.replace('title = "Sunk"', f'title = "Sunk"\n{line}'))
    return with_books(text, KNOWN).find("end.sunk")


def test_of_a_book_that_has_no_words_the_words_of_its_base_are_told_with_a_mark() -> None:
    books = told('books = { captain-sonar = "Four.", sonar = "Two." }').books
    assert books == {
        "captain-sonar": "Four.",
        "sonar": "Two.",
        "wolfpack": "[captain-sonar] Four.",
        "chess": "…",
    }


def test_a_book_has_the_rules_of_its_base() -> None:
    assert told('only = ["captain-sonar"]').only == ("captain-sonar", "wolfpack")
    assert told('only = ["sonar"]').only == ("sonar",)
    assert told("").only == ()


@pytest.mark.parametrize("line", ['only = ["go"]', 'books.go = "Stones."'])
def test_a_book_that_is_not_there_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"rule 'end\.sunk' names 'go', which is no rulebook"):
        told(line)
