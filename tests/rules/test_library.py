"""The data files: all that ship load, and broken ones are refused with what and where."""

import re
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fathom.engine.records import build, encode
from fathom.rules import library
from fathom.rules.chart import BadChart
from fathom.rules.library import BadData, Unknown
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import (
    USUAL_RULEBOOK,
    BadSetup,
    Choices,
    CrewPlan,
    House,
    SeatPlan,
    Setup,
    prepare,
)
from fathom.rules.sheet import BadSheet
from fathom.words import ByCrew, Crew, Heading, Kind, Mode, Post
from tests.stories import ALL_BOOKS, MODES

LIFTED = House(lift_crew_rules=True)

# What ships


def test_four_rulebooks_ship() -> None:
    assert set(library.rulebook_names()) == set(ALL_BOOKS)
    titles = {library.rulebook(name).title for name in ALL_BOOKS}
    assert len(titles) == 4


@pytest.mark.parametrize("name", ALL_BOOKS)
def test_a_rulebook_is_called_by_its_file(name: str) -> None:
    assert library.rulebook(name).name == name


def test_a_rulebook_says_only_what_it_changes_of_the_one_it_is_based_on() -> None:
    first, second = library.rulebook("captain-sonar"), library.rulebook("captain-sonar-2")
    assert second.turn_by_turn.gauges == first.turn_by_turn.gauges
    assert (first.real_time.players, second.real_time.players) == ((4, 8), (6, 8))
    assert [goal.name for goal in first.goals] == ["sink"]
    assert [goal.name for goal in second.goals] == ["hunt", "sudden-death"]


def test_fourteen_scenarios_ship_in_the_order_that_is_advised() -> None:
    assert library.scenario_names() == (
        *("alpha", "bravo", "charlie", "delta", "echo"),
        *("alpha-2", "bravo-2", "charlie-2", "delta-2", "echo-2"),
        *("archipelago", "antarctica", "jules-verne", "umbria"),
    )


@pytest.mark.parametrize("name", library.scenario_names())
def test_a_scenario_names_charts_that_exist(name: str) -> None:
    scenario = library.scenario(name)
    assert library.chart(scenario.small).across == 10
    if scenario.large:
        assert library.chart(scenario.large).across == 15


def test_every_chart_belongs_to_a_scenario() -> None:
    scenarios = [library.scenario(name) for name in library.scenario_names()]
    used = {s.small for s in scenarios} | {s.large for s in scenarios if s.large}
    assert used == set(library.chart_names())


def test_the_hull_has_four_sections() -> None:
    hull = library.hull()
    assert len(hull.sections) == 4
    for section in hull.sections:
        assert all(0 <= x <= hull.width and 0 <= y <= hull.height for x, y in section)


def test_two_engineers_sheets_ship() -> None:
    assert library.sheet_names() == ("20-symbols", "24-symbols")
    kinds = [symbol.kind for symbol in library.sheet("24-symbols").symbols]
    assert {kind: kinds.count(kind) for kind in Kind} == dict.fromkeys(Kind, 6)
    assert len(library.sheet("20-symbols").symbols) == 20


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_set_up_can_be_written_down_and_read_again(book: str, mode: Mode) -> None:
    setup = prepare(Choices(rulebook=book, mode=mode, house=LIFTED))
    assert build(msgspec.json.decode(encode(setup)), Setup) == setup


# Names that nothing has


@pytest.mark.parametrize(
    ("find", "what", "example"),
    [
        (library.rulebook, "rulebook", "captain-sonar-ru"),
        (library.scenario, "scenario", "jules-verne"),
        (library.chart, "chart", "alpha-10"),
        (library.sheet, "sheet", "24-symbols"),
    ],
)
@pytest.mark.parametrize("name", ["", "nautilus", "../rules", "hull", "Alpha"])
def test_an_unknown_name_is_answered_with_the_known_ones(
    find: Callable[[str], object], what: str, example: str, name: str
) -> None:
    with pytest.raises(Unknown) as unknown:
        find(name)
    message = str(unknown.value)
    assert message.startswith(f"there is no {what} called {name!r}; known: ")
    assert example in message


def test_a_very_long_name_is_not_repeated_at_length() -> None:
    with pytest.raises(Unknown) as unknown:
        library.rulebook("x" * 10_000)
    assert len(str(unknown.value)) < 300


# Broken files

Edit = Callable[[str, str, str], None]


@pytest.fixture
def edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Edit:
    """Change a data file: its path, what is written there, and what instead."""
    for warm in (library.rulebook_names, library.chart_names, library.scenario_names):
        warm()
    library.sheet_names()
    shutil.copytree(str(files("fathom") / "data"), tmp_path / "data")
    monkeypatch.setattr(library, "DATA", tmp_path / "data")

    def change(file: str, written: str, instead: str) -> None:
        path = tmp_path / "data" / file
        text = path.read_text("utf-8")
        assert written in text
        path.write_text(text.replace(written, instead, 1), "utf-8")

    return change


def rulebook_anew(name: str) -> Rulebook:
    """The rulebook as its file is now."""
    return library.rulebook.__wrapped__(name)


@pytest.mark.parametrize(
    ("book", "written", "instead", "complaint"),
    [
        ("sonar", "blast_near = 0", "blast_nera = 0", "contains unknown field `blast_nera`"),
        ("sonar", "blast_near = 0", 'blast_near = "0"', "Expected `int`, got `str` - at `$.blas"),
        ("sonar", 'resume = "captain"', 'resume = "anyone"', "Invalid enum value 'anyone' - at"),
        ("sonar", 'title = "Sonar"\n', "", "missing required field `title`"),
        ("sonar", "torpedo = 4", "torpedo = 4, drone = 1", "unknown field `drone` - at `$.energy`"),
        ("sonar", '"radio-operator"', '"cook"', "Invalid enum value 'cook' - at `$.posts[1]`"),
        ("sonar", "hull = 2", "hull = true", "Expected `int`, got `bool` - at `$.goals[0].hull`"),
        ("sonar", "chart_side = 10", "chart_side = []", "at `$.turn_by_turn.chart_side`"),
        ("sonar", "energy = {", "energy = [", "at line 12, column"),
        ("sonar", "players = [2, 4]", "players = [2, 3, 4]", "length 2"),
        ("captain-sonar-2", "players = [6, 8]", "players = 6", "at `$.real_time.players`"),
        ("captain-sonar-2", "blast_chain", "blast_chains", "unknown field `blast_chains`"),
        ("captain-sonar-2", '"captain-sonar"', '"captain-nemo"', "captain-nemo"),
    ],
)
def test_a_broken_rulebook_says_what_is_wrong_where(
    edit: Edit, book: str, written: str, instead: str, complaint: str
) -> None:
    file = f"rulebooks/{book}.toml"
    edit(file, written, instead)
    with pytest.raises(BadData, match=re.escape(complaint)) as bad:
        rulebook_anew(book)
    assert str(bad.value).startswith(f"{file}: ")


def test_a_rulebook_that_is_based_on_itself_is_refused(edit: Edit) -> None:
    edit("rulebooks/captain-sonar-2.toml", '"captain-sonar"', '"captain-sonar-2"')
    with pytest.raises(BadData, match=r"rulebooks/captain-sonar-2\.toml: "):
        rulebook_anew("captain-sonar-2")


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ("advised = 4", 'advised = "fourth"', "Expected `int`, got `str` - at `$.advised`"),
        ("advised = 4", "", "missing required field `advised`"),
        ("large =", "huge =", "contains unknown field `huge`"),
        ('title = "Delta"', 'title = "Delta', "at line 1, column"),
        ('title = "Delta"', 'title = "Delta"\ntitle = "Delta"', "at line 2, column"),
    ],
)
def test_a_broken_scenario_says_what_is_wrong_where(
    edit: Edit, written: str, instead: str, complaint: str
) -> None:
    edit("scenarios/delta.toml", written, instead)
    with pytest.raises(BadData, match=re.escape(complaint)) as bad:
        library.scenario.__wrapped__("delta")
    assert str(bad.value).startswith("scenarios/delta.toml: ")


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ('heading = "N"', 'heading = "NW"', "Invalid enum value 'NW' - at `$.panels[1].heading`"),
        ('["red", "west"]', '["pink", "west"]', "value 'pink' - at `$.panels[0].central[0][0]`"),
        ('["red", "west"]', '["red"]', "length 2"),
        ("reactor =", "reaktor =", "unknown field `reaktor` - at `$.panels[0]`"),
        ("[[panels]]", "[[panels]", "at line 3, column"),
    ],
)
def test_a_broken_sheet_says_what_is_wrong_where(
    edit: Edit, written: str, instead: str, complaint: str
) -> None:
    edit("sheets/24-symbols.toml", written, instead)
    with pytest.raises(BadData, match=re.escape(complaint)) as bad:
        library.sheet.__wrapped__("24-symbols")
    assert str(bad.value).startswith("sheets/24-symbols.toml: ")


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ('heading = "W"', 'heading = "S"', "the panels must be W, N, S, E, in this order"),
        ('["red", "west"]', '["red", "south"]', "circuit 'south' must have four symbols"),
        ('["red", "west"]', '["red", "middle"]', "circuit 'middle' must have four symbols"),
    ],
)
def test_a_sheet_that_cannot_be_played_says_why(
    edit: Edit, written: str, instead: str, complaint: str
) -> None:
    edit("sheets/24-symbols.toml", written, instead)
    with pytest.raises(BadSheet, match=re.escape(complaint)) as bad:
        library.sheet.__wrapped__("24-symbols")
    assert "24-symbols" in str(bad.value)


def test_a_sheet_without_radiation_would_do_damage_with_every_mark(edit: Edit) -> None:
    for _ in range(6):
        edit("sheets/24-symbols.toml", '"radiation"', '"red"')
    with pytest.raises(BadSheet, match="radiation"):
        library.sheet.__wrapped__("24-symbols")


def test_a_panel_without_symbols_would_do_damage_with_every_mark(edit: Edit) -> None:
    file = "sheets/24-symbols.toml"
    edit(file, '[["red", "west"], ["yellow", "west"], ["green", "west"]]', "[]")
    edit(file, '["green", "radiation", "radiation"]', "[]")
    edit(file, ', ["red", "west"]', "")
    with pytest.raises(BadSheet):
        library.sheet.__wrapped__("24-symbols")


def test_a_broken_chart_that_ships_says_what_is_wrong_where(edit: Edit) -> None:
    edit("charts/alpha-10.txt", "...#......", "...#...x..")
    with pytest.raises(BadChart) as bad:
        library.chart.__wrapped__("alpha-10")
    assert str(bad.value).startswith("charts/alpha-10.txt, line 7, column 8: unknown mark 'x'")


def test_the_copy_of_the_data_is_good_until_it_is_edited(edit: Edit) -> None:
    assert rulebook_anew("sonar") == library.rulebook("sonar")
    assert library.scenario.__wrapped__("delta") == library.scenario("delta")
    assert library.sheet.__wrapped__("24-symbols") == library.sheet("24-symbols")
    assert library.chart.__wrapped__("alpha-10") == library.chart("alpha-10")


# Choices


@pytest.mark.parametrize(
    ("choices", "complaint"),
    [
        (Choices(rulebook="captain-nemo"), "there is no rulebook called 'captain-nemo'; known: "),
        (Choices(scenario="omega"), "there is no scenario called 'omega'; known: "),
        (Choices(chart="alpha"), "there is no chart called 'alpha'; known: alpha-10, "),
        (Choices(goal="hunt"), "Captain Sonar has no goal 'hunt'; known: sink"),
        (Choices(sheet="20-symbols"), "no engineer's sheet '20-symbols' here; known: 24-symbols"),
        (Choices(rulebook="sonar", sheet="24-symbols"), "'24-symbols' here; known: none"),
        (Choices(rulings={"torpedo_rnage": 5}), "'torpedo_rnage' is no ruling of a rulebook"),
        (Choices(rulings={"title": "My game"}), "'title' is no ruling of a rulebook"),
        (Choices(rulings={"turn_by_turn": {}}), "'turn_by_turn' is no ruling of a rulebook"),
        (Choices(rulings={"__class__": 1}), "'__class__' is no ruling of a rulebook"),
        (Choices(rulings={"torpedo_range": "5"}), "Expected `int`, got `str` - at `$.torpedo_ra"),
        (Choices(rulings={"torpedo_range": 4.5}), "Expected `int`, got `float` - at `$.torpedo"),
        (Choices(rulings={"blast_chain": 1}), "Expected `bool`, got `int` - at `$.blast_chain`"),
        (Choices(rulings={"draw": None}), "Expected `bool`, got `null` - at `$.draw`"),
        (
            Choices(rulings={"mine_armed": "never"}),
            "Invalid enum value 'never' - at `$.mine_armed`",
        ),
        (Choices(rulings={"energy": {"boxes": 4}}), "missing required field `sonar` - at `$.energ"),
    ],
)
def test_choices_that_cannot_be_are_refused_with_a_reason(choices: Choices, complaint: str) -> None:
    with pytest.raises(BadSetup) as bad:
        prepare(choices)
    assert bad.value.rule == "start.choices"
    assert complaint in bad.value.what
    assert str(bad.value) == f"start.choices: {bad.value.what}"


BEYOND_REASON: list[dict[str, Any]] = [
    {"torpedo_range": 1_000_000_000},
    {"torpedo_range": -1},
    {"silence_most": -1},
    {"silence_least": -1},
    {"surfacing_turns": 0},
    {"surfacing_turns": -1},
    {"blast_direct": -1},
    {"blast_near": -2},
    {"energy": {"boxes": 4, "sonar": -1, "silence": 3, "torpedo": 4}},
]


@pytest.mark.parametrize("rulings", BEYOND_REASON, ids=str)
def test_a_ruling_beyond_reason_is_refused(rulings: dict[str, Any]) -> None:
    with pytest.raises(BadSetup) as bad:
        prepare(Choices(rulebook="sonar", rulings=rulings))
    assert bad.value.rule == "start.choices"


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ({"rulebok": "sonar"}, "Object contains unknown field `rulebok`"),
        ({"mode": "by mail"}, "Invalid enum value 'by mail' - at `$.mode`"),
        ({"players": "two"}, "Expected `int | null`, got `str` - at `$.players`"),
        ({"first": "yellow"}, "Invalid enum value 'yellow' - at `$.first`"),
        ({"rulings": ["draw"]}, "Expected `object`, got `array` - at `$.rulings`"),
        ({"house": {"radio_help": "oracle"}}, "Invalid enum value 'oracle' - at `$.house.radio"),
        ({"house": {"quick_end": True}}, "unknown field `quick_end` - at `$.house`"),
        ({"crews": [{"boat": "Nautilus", "seats": []}]}, "length 2"),
        ({"crews": {}}, "Expected `array | null`, got `object` - at `$.crews`"),
    ],
)
def test_choices_of_a_wrong_shape_say_what_is_wrong_where(
    written: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(msgspec.ValidationError, match=re.escape(complaint)):
        msgspec.convert(written, Choices)


def test_choices_are_read_from_plain_words() -> None:
    written = {
        "rulebook": "captain-sonar-2",
        "mode": "real-time",
        "goal": "sudden-death",
        "rulings": {"draw": False},
        "house": {"lift_crew_rules": True, "radio_help": "tape"},
    }
    setup = prepare(msgspec.convert(written, Choices))
    assert (setup.book.title, setup.mode) == ("Captain Sonar, second edition", Mode.REAL_TIME)
    assert (setup.goal.hull, setup.book.draw, setup.house.radio_help) == (1, False, "tape")


def test_a_ruling_changes_the_tables_book_and_not_the_librarys() -> None:
    prepare(Choices(rulings={"blast_chain": True}))
    assert library.rulebook("captain-sonar").blast_chain is False


def test_symbols_are_called_by_panel_and_place() -> None:
    symbols = {symbol.name: symbol for symbol in library.sheet("24-symbols").symbols}
    assert symbols["W1"].panel is Heading.W
    assert (symbols["W1"].kind, symbols["W1"].circuit) == (Kind.RED, "west")
    assert (symbols["E6"].kind, symbols["E6"].circuit) == (Kind.RADIATION, None)


def test_detection_is_ordered_by_the_posts_of_the_file() -> None:
    assert library.rulebook("captain-sonar-2").detection_by == (Post.FIRST_MATE,)


@pytest.mark.parametrize(
    "name", [n for n in library.rulebook_names() if len(library.lineage(n)) == 1]
)
def test_a_rulebook_that_is_based_on_none_says_everything_itself(name: str) -> None:
    said = library.fields(f"rulebooks/{name}.toml").keys() | {"name"}
    # There is no way to write in a file that there is no energy gauge.
    assert {field.name for field in msgspec.structs.fields(Rulebook)} - said <= {"energy"}


def test_what_a_record_leaves_out_is_what_the_first_edition_says() -> None:
    first = library.rulebook(USUAL_RULEBOOK)
    for field in msgspec.structs.fields(Rulebook):
        assert field.required or field.default == getattr(first, field.name), field.name


CREW = CrewPlan("Boat", (SeatPlan("Ada", tuple(Post)),))


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        (Choices(scenario="alpha", chart="bravo-10"), "does not belong to the scenario"),
        (Choices(crews=ByCrew(CREW, CREW), players=4), "2 players in the crews, not 4"),
        (Choices(first=Crew.A, mode=Mode.REAL_TIME, players=4), "start.first"),
    ],
)
def test_choices_that_contradict_each_other_are_refused(choices: Choices, what: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(what)):
        prepare(choices)


def test_choices_that_say_the_same_twice_are_taken() -> None:
    setup = prepare(
        Choices(scenario="alpha", chart="alpha-10", crews=ByCrew(CREW, CREW), players=2)
    )
    assert setup.chart.name == "alpha-10"
