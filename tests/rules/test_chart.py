"""Charts: points, sectors and islands, the charts that ship, and charts that can't be read."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from fathom.engine.events import DroneLaunched, Exploded, Surfaced
from fathom.engine.knowledge.view import WATCHER, view
from fathom.engine.orders import (
    AnyOrder,
    DetonateOldMine,
    Dive,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    Place,
    RunSilent,
    SetCourse,
    Surface,
)
from fathom.engine.records import decode_order, encode
from fathom.points import BadPoint, Points, bits, name, parse, sector_of
from fathom.rules import library
from fathom.rules.chart import BadChart, Chart, read_chart
from fathom.rules.setup import BadSetup, Choices, House, prepare
from fathom.words import Heading, Mode, Post, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

TURN_BY_TURN, REAL_TIME = MODES
LIFTED = House(lift_crew_rules=True)
SYSTEM_CHARTS = ("old-mines", "volcanoes", "damaged")


def named(points: Points | Iterable[int]) -> set[str]:
    """The points of a set by their names."""
    return {name(p) for p in (bits(points) if isinstance(points, int) else points)}


def refused_setup(choices: Choices, own: Chart | None = None) -> str:
    """The rule that these choices break."""
    with pytest.raises(BadSetup) as bad:
        prepare(choices, own)
    return bad.value.rule


# chart.any

CHARTS = library.chart_names()


@pytest.mark.rule("chart.any", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_any_chart_of_the_modes_size_goes_with_any_rulebook(
    book: str, chart: str, mode: Mode
) -> None:
    choices = Choices(rulebook=book, mode=mode, chart=chart, house=LIFTED)
    side = 15 if mode is REAL_TIME and book != "sonar" else 10
    found = library.chart(chart)
    needs_gauges = book == "sonar" and found.special in SYSTEM_CHARTS
    if found.across == side and not needs_gauges:
        assert prepare(choices).chart == found
    else:
        assert refused_setup(choices) == "chart.any"


@pytest.mark.rule("chart.any")
@pytest.mark.parametrize(
    ("mode", "side", "fits"),
    [(TURN_BY_TURN, 10, True), (TURN_BY_TURN, 15, False), (REAL_TIME, 15, True)],
)
def test_a_users_own_chart_must_have_the_modes_size(mode: Mode, side: int, fits: bool) -> None:
    own = sea("\n".join(["." * side] * side))
    choices = Choices(mode=mode, house=LIFTED)
    if fits:
        assert prepare(choices, own).chart is own
    else:
        assert refused_setup(choices, own) == "chart.any"


@pytest.mark.rule("chart.any")
def test_a_chart_that_is_not_square_fits_no_mode() -> None:
    own = sea("\n".join(["." * 10] * 9))
    assert refused_setup(Choices(), own) == "chart.any"


@pytest.mark.rule("chart.any", "sonar")
@pytest.mark.parametrize("scenario", ["echo", "delta-2", "echo-2"])
def test_a_scenario_system_needs_gauges(scenario: str) -> None:
    assert refused_setup(Choices(rulebook="sonar", scenario=scenario)) == "chart.any"


@pytest.mark.rule("chart.any")
@pytest.mark.parametrize("scenario", ["archipelago", "antarctica", "jules-verne", "umbria"])
def test_a_family_scenario_has_no_large_chart(scenario: str) -> None:
    choices = Choices(mode=REAL_TIME, scenario=scenario, house=LIFTED)
    assert refused_setup(choices) == "chart.any"


ROW_OF_OLD_MINES = sea(
    """
    . . . . . . . . . .
    . . m m . m . . . .
    . . . . . . . . . .
    """,
    special="old-mines",
)


@pytest.mark.rule("chart.any", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("book", "explosions"),
    [
        ("captain-sonar", ["C2"]),
        ("captain-sonar-ru", ["C2"]),
        ("captain-sonar-2", ["C2", "D2"]),
    ],
)
def test_old_mines_go_off_in_waves_where_mines_do(book: str, explosions: list[str]) -> None:
    story = Story(table(book, chart=ROW_OF_OLD_MINES), "J1", "J3")
    story.ready(A, System.SCENARIO)
    story.sailed(A)
    events = story.order(A, DetonateOldMine(parse("C2")))
    assert [name(e.at) for e in events if isinstance(e, Exploded)] == explosions
    assert named(story.game.public.old_mines) == {"C2", "D2", "F2"} - set(explosions)


# chart.points


@pytest.mark.rule("chart.points")
@pytest.mark.parametrize(
    ("point", "at"), [("A1", 0), ("B1", 1), ("A2", 16), ("J10", 153), ("O1", 14), ("O15", 238)]
)
def test_letters_count_columns_from_the_west_and_numbers_rows_from_the_north(
    point: str, at: int
) -> None:
    assert parse(point) == at
    assert name(at) == point


@pytest.mark.rule("chart.points")
def test_a1_is_the_north_west_corner() -> None:
    story = Story(table(chart=sea(OPEN_SEA)), "A1", "J10")
    assert story.refusal(A, SetCourse(Heading.N)) == "move.edge"
    assert story.refusal(A, SetCourse(Heading.W)) == "move.edge"
    story.order(A, SetCourse(Heading.E))
    assert name(story.boat(A).helm.at) == "B1"


@pytest.mark.rule("chart.points", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "mode", "last", "sectors"),
    [
        *((book, TURN_BY_TURN, "J10", 4) for book in ALL_BOOKS),
        *((book, REAL_TIME, "O15", 9) for book in CAPTAIN_BOOKS),
        ("sonar", REAL_TIME, "J10", 4),
    ],
)
def test_the_mode_decides_the_charts_size(book: str, mode: Mode, last: str, sectors: int) -> None:
    chart = table(book, mode).chart
    assert max(bits(chart.all_points)) == parse(last)
    assert chart.sector_count == sectors


@pytest.mark.rule("chart.points")
@pytest.mark.parametrize("point", ["K1", "A11", "O15"])
def test_a_point_off_the_chart_is_no_start(point: str) -> None:
    story = Story(table(chart=sea(OPEN_SEA)), begun=False)
    assert story.refusal(A, Place(parse(point))) == "chart.points"


@pytest.mark.rule("chart.points")
def test_a_point_off_the_chart_is_neither_mined_nor_targeted() -> None:
    story = Story(table(chart=sea(OPEN_SEA)), "J5", "A1")
    story.ready(A, System.MINE, System.TORPEDO)
    story.sailed(A)
    assert story.refusal(A, LayMine(parse("K5"))) == "chart.points"
    assert story.refusal(A, FireTorpedo(parse("K5"))) == "chart.points"


# chart.letters


@pytest.mark.rule("chart.letters")
def test_records_name_columns_a_to_o() -> None:
    columns = [name(column) for column in range(15)]
    assert columns == [f"{letter}1" for letter in "ABCDEFGHIJKLMNO"]
    assert [parse(point) for point in columns] == list(range(15))


@pytest.mark.rule("chart.letters")
@pytest.mark.parametrize(
    "point", ["Г3", "Ґ1", "\u04101", "a1", "P1", "D0", "D16", "D", "", "3D", "D٣"]
)
def test_no_other_letter_names_a_point(point: str) -> None:
    # U+0410 is the Cyrillic letter that only looks like the Latin A.
    with pytest.raises(BadPoint, match="a letter from A to O and a row from 1 to 15"):
        parse(point)


@pytest.mark.rule("chart.letters")
def test_a_recorded_order_says_d3() -> None:
    written = encode(FireTorpedo(parse("D3")))
    assert b'"D3"' in written
    assert decode_order(written) == FireTorpedo(parse("D3"))


# chart.sectors


@pytest.mark.rule("chart.sectors")
@pytest.mark.parametrize(
    ("point", "small", "large"),
    [
        ("A1", 1, 1),
        ("E5", 1, 1),
        ("F5", 2, 2),
        ("E6", 3, 4),
        ("F6", 4, 5),
        ("J10", 4, 5),
    ],
)
def test_sectors_are_blocks_of_five_by_five(point: str, small: int, large: int) -> None:
    assert sector_of(parse(point), 2) == small
    assert sector_of(parse(point), 3) == large


@pytest.mark.rule("chart.sectors")
@pytest.mark.parametrize(
    ("point", "sector"),
    [
        *(("C3", 1), ("H3", 2), ("M3", 3), ("C8", 4), ("H8", 5), ("M8", 6)),
        *(("C13", 7), ("H13", 8), ("M13", 9), ("K5", 3), ("K6", 6)),
        *(("L11", 9), ("N12", 9), ("O15", 9)),
    ],
)
def test_a_submarine_surfaces_in_its_sector(point: str, sector: int) -> None:
    story = Story(table(mode=REAL_TIME, chart=sea("\n".join(["." * 15] * 15))), point, "A1")
    assert story.order(A, Surface()) == [Surfaced(A, sector=sector)]


@pytest.mark.rule("chart.sectors")
@pytest.mark.parametrize(("mode", "last"), [(TURN_BY_TURN, 4), (REAL_TIME, 9)])
def test_a_drone_is_sent_to_a_sector_that_exists(mode: Mode, last: int) -> None:
    side = table(mode=mode).pace.chart_side
    story = Story(table(mode=mode, chart=sea("\n".join(["." * side] * side))), "A1", "A1")
    story.ready(A, System.DRONE)
    story.sailed(A)
    for sector in (-1, 0, last + 1):
        assert story.refusal(A, LaunchDrone(sector)) == "chart.sectors"
    assert DroneLaunched(A, last, "no") in story.order(A, LaunchDrone(last))


@pytest.mark.rule("chart.sectors")
def test_a_chart_may_label_its_sectors() -> None:
    assert sea(OPEN_SEA).sectors == ()
    assert sea(OPEN_SEA, sectors="A B C D").sectors == ("A", "B", "C", "D")


# chart.islands

ISLANDS = sea(
    """
    . . . . . .
    . . # . . .
    . . . . . .
    . . . . . .
    """
)


@pytest.mark.rule("chart.islands")
def test_an_island_is_no_start() -> None:
    story = Story(table(chart=ISLANDS), begun=False)
    assert story.refusal(A, Place(parse("C2"))) == "chart.islands"


@pytest.mark.rule("chart.islands")
def test_an_island_is_not_entered() -> None:
    story = Story(table(chart=ISLANDS), "B2", "F4")
    assert story.refusal(A, SetCourse(Heading.E)) == "move.islands"


@pytest.mark.rule("chart.islands")
def test_an_island_is_not_crossed_in_silence() -> None:
    story = Story(table(chart=ISLANDS), "B2", "F4")
    story.ready(A, System.SILENCE)
    story.sailed(A)
    assert story.refusal(A, RunSilent(1, Heading.E)) == "move.islands"
    assert story.refusal(A, RunSilent(2, Heading.E)) == "move.islands"


@pytest.mark.rule("chart.islands")
@pytest.mark.parametrize("order", [LayMine(parse("C2")), FireTorpedo(parse("C2"))])
def test_an_island_is_neither_mined_nor_targeted(order: AnyOrder) -> None:
    story = Story(table(chart=ISLANDS), "B2", "F4")
    story.ready(A, System.MINE, System.TORPEDO)
    story.sailed(A)
    assert story.refusal(A, order) == "chart.islands"


@pytest.mark.rule("chart.islands", "sonar")
def test_an_island_is_not_targeted_in_the_family_game() -> None:
    story = Story(table("sonar", chart=ISLANDS), "B2", "F4")
    story.ready(A, System.TORPEDO)
    assert story.refusal(A, FireTorpedo(parse("C2"))) == "chart.islands"


@pytest.mark.rule("chart.islands")
@pytest.mark.parametrize("special", ["volcanoes", "damaged"])
def test_volcanoes_and_islands_of_systems_are_islands_too(special: str) -> None:
    chart = library.chart({"volcanoes": "delta-2-10", "damaged": "echo-2-10"}[special])
    land = {"volcanoes": "C3", "damaged": "B2"}[special]
    story = Story(table(chart=chart), begun=False)
    assert story.refusal(A, Place(parse(land))) == "chart.islands"


# chart.same


@pytest.mark.rule("chart.same")
def test_both_crews_play_on_the_same_chart() -> None:
    story = Story(table(chart=ISLANDS), begun=False)
    for crew in (A, B):
        assert story.refusal(crew, Place(parse("C2"))) == "chart.islands"
        story.order(crew, Place(parse("B2")), Dive())
    assert story.boat(A).helm.at == story.boat(B).helm.at == parse("B2")
    assert story.refusal(A, SetCourse(Heading.E)) == "move.islands"
    story.order(A, Surface())
    assert story.refusal(B, SetCourse(Heading.E)) == "move.islands"


@pytest.mark.rule("chart.same")
def test_its_special_points_are_known_to_everyone() -> None:
    story = Story(table(chart=ROW_OF_OLD_MINES), "J1", "J3")
    for who in (story.seat(A, Post.CAPTAIN), story.seat(B, Post.CAPTAIN), WATCHER):
        assert named(view(story.game, who).public.old_mines) == {"C2", "D2", "F2"}


# The charts that ship


def test_twenty_four_charts_ship() -> None:
    assert len(CHARTS) == 24


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_that_ships_is_whole(chart: str) -> None:
    found = library.chart(chart)
    side = int(chart.rsplit("-", 1)[1])
    assert (found.name, found.across, found.down) == (chart, side, side)
    assert found.sector_count == (side // 5) ** 2
    assert found.title
    assert found.origin
    assert found.water


ISLANDS_OF = {
    "alpha-10": "D1 H2 C4 H4 E6 G7 D9 H9",
    "bravo-10": "D1 H2 C4 H4 G7 D9",
    "charlie-10": "C4 D4 E4 G6 G7 H7",
    "charlie-15": "F3 M3 F4 L4 D8 I8 I9 H10 I10 D13 E14",
    "alpha-2-10": "F2 B3 I4 D5 B6 I7 D8 F8",
    "archipelago-10": "G2 C3 H3 I4 D5 I7 B8 C8 F8",
    "antarctica-10": "H3 I7 C8 D9",
}


@pytest.mark.parametrize("chart", ISLANDS_OF)
def test_islands_lie_where_the_printed_chart_has_them(chart: str) -> None:
    found = library.chart(chart)
    assert named(found.all_points & ~found.water) == set(ISLANDS_OF[chart].split())


SPECIAL_POINTS = {
    "antarctica-10": ("ice", "o", "D3 E8 I5"),
    "charlie-2-15": ("ice-field", "o", "L3 L8 G12 N14"),
    "delta-15": ("ice", "o", "M4 N4 M5 N5 D6 E6 D7 E7 I12 J12 I13 J13"),
    "echo-15": ("old-mines", "m", "L2 G3 C4 F6 J6 B9 N9 F10 J10 L12 D14 H14"),
    "echo-10": ("old-mines", "m", "H2 E3 B4 H5 B7 G8 D9 I9"),
    "delta-2-10": ("volcanoes", "V", "C3 G8"),
    "delta-2-15": ("volcanoes", "V", "F6 K10"),
    "echo-2-10": ("damaged", "T", "B2 B3"),
}


@pytest.mark.parametrize("chart", SPECIAL_POINTS)
def test_special_points_lie_where_the_scenario_has_them(chart: str) -> None:
    special, mark, points = SPECIAL_POINTS[chart]
    found = library.chart(chart)
    assert found.special == special
    assert named(found.where(mark)) == set(points.split())


@pytest.mark.parametrize(
    ("scenario", "special", "gauge"),
    [
        *((plain, "none", 0) for plain in ("alpha", "bravo", "charlie", "alpha-2", "bravo-2")),
        *((plain, "none", 0) for plain in ("archipelago", "jules-verne", "umbria")),
        ("delta", "ice", 0),
        ("antarctica", "ice", 0),
        ("charlie-2", "ice-field", 0),
        ("echo", "old-mines", 4),
        ("delta-2", "volcanoes", 3),
        ("echo-2", "damaged", 3),
    ],
)
def test_both_charts_of_a_scenario_have_its_special_rules(
    scenario: str, special: str, gauge: int
) -> None:
    found = library.scenario(scenario)
    charts = [library.chart(chart) for chart in (found.small, found.large) if chart]
    assert len(charts) == (1 if found.edition == "family game" else 2)
    assert {(chart.special, chart.gauge, chart.title) for chart in charts} == {
        (special, gauge, found.title)
    }


# Charts that can't be read

GOOD = """\
title: Mine

..#
...
...
"""


def complaint(text: str) -> BadChart:
    """What is said of a chart file."""
    with pytest.raises(BadChart) as bad:
        read_chart("mine", "mine.txt", text)
    return bad.value


def test_the_smallest_chart_file_is_a_title_and_a_picture() -> None:
    chart = read_chart("mine", "mine.txt", GOOD)
    assert (chart.name, chart.title, chart.rows) == ("mine", "Mine", ("..#", "...", "..."))
    assert (chart.special, chart.gauge, chart.starts) == ("none", 0, None)
    assert named(chart.water) == {"A1", "B1", "A2", "B2", "C2", "A3", "B3", "C3"}


def picture(*rows: str, **header: str) -> str:
    """A chart file with this header and picture."""
    lines = [f"{key}: {value}" for key, value in {"title": "Mine", **header}.items()]
    return "\n".join([*lines, "", *rows, ""])


BROKEN = {
    "no title": ("\n...\n...\n", 1, 1, "the header needs a title"),
    "an empty title": ("title:\n\n..\n..\n", 1, 1, "the header needs a title"),
    "an unknown key": ("title: Mine\ncolor: blue\n\n..\n..\n", 2, 1, "expected 'key: value'"),
    "no key at all": ("title: Mine\n...\n...\n", 2, 1, "expected 'key: value'"),
    "a key twice": ("title: Mine\ntitle: Yours\n\n..\n..\n", 2, 1, "'title' is given twice"),
    "no picture": ("title: Mine\n", 2, 1, "an empty line and the picture must follow"),
    "an empty picture": ("title: Mine\n\n\n", 3, 1, "the picture has 0 rows"),
    "nothing": ("", 1, 1, "the header needs a title"),
    "one row": (picture("..."), 3, 1, "the picture has 1 rows; it may have 2 to 15"),
    "too many rows": (picture(*["..."] * 16), 3, 1, "the picture has 16 rows"),
    "too wide": (picture("." * 16, "." * 16), 3, 1, "the first row has 16 points"),
    "a short row": (picture("....", "...", "...."), 4, 4, "this row has 3 points, the first 4"),
    "a long row": (picture("...", "....", "..."), 4, 4, "this row has 4 points, the first 3"),
    "a hole in the picture": (picture("...", "", "..."), 4, 1, "this row has 0 points"),
    "an unknown mark": (picture("...", ".x.", "..."), 4, 2, "unknown mark 'x'"),
    "a mark of other rules": (picture("..", ".o"), 4, 2, "with special: none known are . #"),
    "sea cut off": (picture("..#.", "..#.", "..#."), 3, 4, "cut off from the rest"),
    "sea joined by a corner": (picture("..#", "..#", "##."), 5, 3, "cut off from the rest"),
    "no sea": (picture("##", "##"), 3, 1, "there is no sea to start on"),
    "unknown rules": (picture("..", "..", special="fog"), 2, 10, "unknown special rule 'fog'"),
    "a gauge in words": (picture("..", "..", gauge="four"), 2, 8, "'four' is not a number"),
    "a gauge too long": (picture("..", "..", gauge="13"), 2, 8, "'13' is not a number from 0"),
    "a start in words": (picture("..", "..", starts="A1, west"), 2, 9, "'west' is not a point"),
    "one start": (picture("..", "..", starts="A1"), 2, 9, "two starting points are needed"),
    "a start on land": (picture("#.", "..", starts="A1, B2"), 2, 9, "A1 is not sea"),
    "a start off the chart": (picture("..", "..", starts="A1, J10"), 2, 9, "J10 is not sea"),
    "a finish on land": (picture("#.", "..", finish="A1"), 2, 9, "A1 is not sea"),
    "too few labels": (
        picture(*["." * 6] * 6, sectors="N E S"),
        2,
        10,
        "4 different labels are needed",
    ),
    "a label twice": (picture(*["." * 6] * 6, sectors="N E S N"), 2, 10, "4 different labels"),
    "one volcano": (picture("V.", "..", special="volcanoes"), 4, 1, "two volcanoes, not 1"),
    "a lone red point": (
        picture("V...", "....", "r..V", special="volcanoes"),
        6,
        1,
        "a red point must be next to exactly one volcano",
    ),
    "a red point of two": (
        picture("VrV", "...", special="volcanoes"),
        4,
        2,
        "a red point must be next to exactly one volcano",
    ),
    "no islands": (
        picture("MTD", "...", "...", special="damaged"),
        4,
        1,
        "no island for sonar, silence",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_chart_is_refused_with_its_place(name: str) -> None:
    text, line, column, what = BROKEN[name]
    bad = complaint(text)
    assert (bad.file, bad.line, bad.column) == ("mine.txt", line, column)
    assert what in bad.what
    assert str(bad) == f"mine.txt, line {line}, column {column}: {bad.what}"


def test_a_users_own_chart_is_read_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "lagoon.txt"
    file.write_text(GOOD.replace("Mine", "Lagoon"), "utf-8")
    chart = library.chart_from(file)
    assert (chart.name, chart.title) == ("lagoon", "Lagoon")
    file.write_text(GOOD.replace("#", "?"), "utf-8")
    with pytest.raises(BadChart) as bad:
        library.chart_from(file)
    assert str(bad.value).startswith(f"{file}, line 3, column 3: unknown mark '?'")


def test_lines_may_end_as_other_computers_end_them(tmp_path: Path) -> None:
    file = tmp_path / "lagoon.txt"
    file.write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert library.chart_from(file).rows == ("..#", "...", "...")


def test_a_file_that_is_no_text_is_refused_as_a_bad_chart(tmp_path: Path) -> None:
    file = tmp_path / "lagoon.txt"
    file.write_bytes(GOOD.replace("Mine", "Lagune der Möwen").encode("latin-1"))
    with pytest.raises(BadChart, match=r"lagoon\.txt, line 1"):
        library.chart_from(file)
