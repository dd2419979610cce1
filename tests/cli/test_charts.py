"""``fathom charts``."""

from pathlib import Path

import pytest

from fathom.cli import main
from fathom.cli.picture import ASCII, LINED, Picture, RouteLine, StyledGlyph
from fathom.points import parse
from fathom.rules import library
from tests.stories import sea

ALPHA = """\
Alpha  alpha-10, 10 by 10, 4 sectors
     A B C D E   F G H I J
   ┌1───────────2──────────┐
 1 │ · · · ▒ · ┊ · · · · · │
 2 │ · · · · · ┊ · · ▒ · · │
 3 │ · · · · · ┊ · · · · · │
 4 │ · · ▒ · · ┊ · · ▒ · · │
 5 │ · · · · · ┊ · · · · · │
   │3┈┈┈┈┈┈┈┈┈┈┈4┈┈┈┈┈┈┈┈┈┈│
 6 │ · · · · ▒ ┊ · · · · · │
 7 │ · · · · · ┊ · ▒ · · · │
 8 │ · · · · · ┊ · · · · · │
 9 │ · · · ▒ · ┊ · · ▒ · · │
10 │ · · · · · ┊ · · · · · │
   └───────────────────────┘
· sea   ▒ island   1-4 sectors
"""


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["charts", *arguments]) == 0
    return capsys.readouterr().out


def test_a_chart_with_letters_numbers_sectors_and_a_legend(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert printed(capsys, "alpha-10").startswith(ALPHA)


def test_the_list_names_every_scenario_by_edition(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys)
    words = out.split()
    assert [name for name in library.scenario_names() if name not in words] == []
    first, second, family = (
        out.index(t) for t in ("First edition", "Second edition", "Family game")
    )
    assert first < out.index("  echo ") < second < out.index("  echo-2 ") < family


def test_a_scenario_draws_both_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "Alpha")
    assert "alpha-10, 10 by 10, 4 sectors" in out
    assert "alpha-15, 15 by 15, 9 sectors" in out
    assert "     A B C D E   F G H I J   K L M N O\n" in out


def test_all_charts_are_drawn_point_by_point(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--all")
    assert [name for name in library.chart_names() if f"  {name}, " not in out] == []
    every = [library.chart(name) for name in library.chart_names()]
    for mark, glyph in (("V", "▲"), ("m", "¤")):
        drawn = sum(line.count(glyph) for line in out.splitlines() if "│" in line)
        assert drawn == sum("".join(chart.rows).count(mark) for chart in every), mark


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("echo-10", "¤ old mine"),
        ("delta-10", "o hole in the ice"),
        ("charlie-2-10", "~ sea under the ice field"),
        ("delta-2-10", "▲ volcano   : red point, land once lava flows"),
        ("echo-2-10", "M mine island   T torpedo island   D drone island"),
        ("archipelago-10", "Starts: the first crew on A1 (1), the second on J10 (2)"),
        ("delta-10", "Special: under the ice"),
    ],
)
def test_special_points_are_explained(
    name: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in printed(capsys, name)


def test_a_good_chart_of_ones_own_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    rows = [*["..........", ".#........"] * 5]
    file.write_text("title: My sea\n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    out = printed(capsys, "--check", str(file))
    assert "My sea  mine, 10 by 10, 4 sectors" in out
    # A path may be long, and then it is wrapped.
    assert "is a good chart, with 95 points of sea." in " ".join(out.split())
    assert "Its size is that of Captain Sonar turn by turn." in out


def test_a_chart_of_an_unusual_size_is_good_but_fits_no_rulebook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pond.txt"
    file.write_text("title: Pond\n\n...\n...\n", encoding="utf-8")
    assert "It fits no rulebook's size" in printed(capsys, "--check", str(file))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"title: T\n\n..\n.X\n", "line 4, column 2: unknown mark 'X'"),
        (b"title: T\n\n.#.\n.#.\n", "line 3, column 3: this part of the sea is cut off"),
        (b"titel: T\n\n..\n..\n", "line 1, column 1: expected 'key: value'"),
        (b"\xff\xfe", "is not UTF-8 text (byte 1)"),
        (b"." * 100_000, "is too long for a chart"),
        (b"", "line 1, column 1: the header needs a title"),
    ],
)
def test_a_bad_chart_is_refused_with_its_place(
    content: bytes, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.txt"
    file.write_bytes(content)
    assert main(["charts", "--check", str(file)]) == 1
    assert complaint in capsys.readouterr().err


def test_a_title_can_not_play_tricks_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trick.txt"
    file.write_text("title: \x1b[2J[red]x\nnote: \x1b]0;t\x07\n\n...\n...\n", encoding="utf-8")
    out = printed(capsys, "--check", str(file))
    assert "\x1b" not in out
    assert "?[2J[red]x" in out


def test_brackets_in_a_name_are_no_mark_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "[b].txt"
    file.write_text("title: [red]:smile:[x]\n\n...\n...\n", encoding="utf-8")
    out = printed(capsys, "--check", str(file))
    assert "[red]:smile:[x]  [b], 3 by 2" in out
    assert "[b].txt" in out.replace("\n", "")


# Drawing


def way(names: str) -> list[int]:
    return [parse(name) for name in names.split()]


def test_a_route_is_a_line_that_bends_and_crosses_the_borders_of_sectors() -> None:
    chart = sea("\n".join(["......"] * 6))
    picture = Picture(chart, LINED)
    picture.put_line(RouteLine(way("A1 B1 B2 C2 C1 D1 E1 F1 F2 F3 F4 F5 F6 E6"), 0, "━┃┏┓┗┛", ""))
    assert (
        picture.draw().plain
        == """\
     A B C D E   F
   ┌1───────────2──┐
 1 │ ━━┓ ┏━━━━━━━┓ │
 2 │ · ┗━┛ · · ┊ ┃ │
 3 │ · · · · · ┊ ┃ │
 4 │ · · · · · ┊ ┃ │
 5 │ · · · · · ┊ ┃ │
   │3┈┈┈┈┈┈┈┈┈┈┈4┃┈│
 6 │ · · · · ━━━━┛ │
   └───────────────┘"""
    )


def test_a_silence_is_a_row_of_dots() -> None:
    chart = sea("....\n....")
    picture = Picture(chart, LINED)
    silent = 1 << parse("C1") | 1 << parse("D1")
    picture.put_line(RouteLine(way("A1 B1 C1 D1 D2"), silent, "═║╔╗╚╝", ""))
    assert picture.draw().plain.splitlines()[2:4] == [" 1 │ ═══ • • │", " 2 │ · · · ║ │"]


def test_later_marks_cover_earlier_ones_and_islands_join() -> None:
    chart = sea("##.\n...")
    picture = Picture(chart, ASCII)
    picture.put(parse("C1"), StyledGlyph("x"))
    picture.put(parse("C1"), StyledGlyph("Y"))
    assert (
        picture.draw().plain
        == """\
     A B C
   +1------+
 1 | ### Y |
 2 | . . . |
   +-------+"""
    )


def test_sectors_go_by_their_own_labels() -> None:
    chart = sea("........\n........", sectors="north south")
    assert "┌north───────south──┐" in Picture(chart, LINED).draw().plain
    narrow = sea("......\n......", sectors="north south")
    assert "┌north───────so─┐" in Picture(narrow, LINED).draw().plain
