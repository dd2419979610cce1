"""``fathom replay``: frames as text, one side's knowledge, and keys on a terminal."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from fathom.cli import main
from fathom.cli.film import FollowedGame
from fathom.cli.keys import named
from fathom.engine.logbook import Logbook, write
from fathom.engine.orders import END_TURN
from fathom.points import collect, parse
from fathom.words import CREW_A, CREW_B
from tests.cli.games import BLUE, YELLOW, beginning, logbook_of, short_duel, turn
from tests.cli.running import fathom, on_terminal

AFTER_23 = """\
 FATHOM   a submarine duel   Captain Sonar, Alpha, turn by turn
Step 23 of 25: Yellow crosses out E6.
     A B C D E   F G H I J      YELLOW   hull ■■■■  on E4  to act
   ┌1───────────2──────────┐     mine □□  torpedo ■■■  drone □□□  sonar □□
 1 │ · · · ▒ · ┊ · · · · · │     silence □□□□□
 2 │ · · · · · ┊ · · ▒ · · │     hunts  the enemy on one of 62 points
 3 │ · · ━━┓ · ┊ · · · · · │
 4 │ · · ▒ ┗━Y ┊ · · ▒ · · │    BLUE   hull ■■■■  on H6
 5 │ · · · · · ┊ · · · · · │     mine □□  torpedo □□□  drone □□□  sonar □□
   │3┈┈┈┈┈┈┈┈┈┈┈4┈┈┈┈┈┈┈┈┈┈│     silence □□□□□
 6 │ · · · · ▒ ┊ · · B · · │     broken detection
 7 │ · · · · · ┊ · ▒ ║ ◇ · │     hunts  the enemy on one of 43 points
 8 │ · · · · · ┊ · · ║ · · │
 9 │ · · · ▒ · ┊ · · ▒ · · │   Said aloud
10 │ · · · · · ┊ · · · · · │   Yellow sails south.
   └───────────────────────┘   Blue sails north.
                               Blue lays a mine.
                               Yellow sails east.
Y yellow   ━━ its route   ◆ its mine   B blue   ══ its route   ◇ its mine
• silence   ✶ explosion   · sea   ▒ island   1-4 sectors
"""


@pytest.fixture
def duel(tmp_path: Path) -> str:
    file = tmp_path / "duel.log"
    file.write_text(write(short_duel()), encoding="utf-8")
    return str(file)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["replay", *arguments]) == 0
    return capsys.readouterr().out


def test_a_frame_shows_both_sides(duel: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, duel, "--to", "23") == AFTER_23


def test_all_frames_in_a_pipe_one_for_every_announcement(
    duel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(capsys, duel)
    steps = [int(number) for number in re.findall(r"^Step (\d+) of 25:", out, flags=re.MULTILINE)]
    assert steps == [0, 2, 4, 5, 9, 13, 17, 20, 21, 24, 25]
    assert "Step 0 of 25: the beginning" in out
    assert "Step 24 of 25: Yellow fires a torpedo on G6." in out


def test_an_explosion_is_drawn_while_it_is_news(
    duel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hit = printed(capsys, duel, "--to", "24")
    assert " 6 │ · · · · ▒ ┊ · ✶ B · · │" in hit
    assert "BLUE   hull ■■■□" in hit
    assert "Yellow's torpedo explodes on G6: blue indirect" in hit
    assert "✶" not in printed(capsys, duel, "--to", "25").replace("✶ explosion", "")


def test_one_side_sees_only_what_it_knows(duel: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, duel, "--to", "23", "--side", "blue")
    assert "Step 23 of 25: nothing that could be heard" in out
    assert "BLUE   hull ■■■■  on H6" in out
    assert "YELLOW   hull ■■■■  to act" in out
    chart = [line[:28] for line in out.splitlines() if re.match(r"[ 1]\d │", line)]
    film = FollowedGame(short_duel().setup, CREW_B)
    for step in short_duel().steps[:23]:
        film.show(step.events)
    own = collect(map(parse, "H8 H7 H6 I7".split()))
    assert (
        sum(row.count("?") for row in chart)
        == (film.beliefs[CREW_B].possible & ~own).bit_count()
        == 41
    )
    assert not any("━" in row or "Y" in row for row in chart)
    assert "torpedo ■■■" not in out


class CrewStart(NamedTuple):
    """Where a crew starts, and what it marks."""

    at: str
    system: str
    symbol: str


YELLOW_CREWS = (CrewStart("C3", "torpedo", "E4"), CrewStart("A6", "mine", "E5"))
BLUE_CREWS = (CrewStart("H8", "mine", "N6"), CrewStart("I8", "silence", "N5"))


def one_turn_each(yellow: CrewStart, blue: CrewStart) -> Logbook:
    """Yellow sails east and blue north, wherever they are."""
    return logbook_of(
        [
            *beginning(yellow.at, blue.at),
            *turn(YELLOW, "E", yellow.system, yellow.symbol),
            (YELLOW, END_TURN),
            *turn(BLUE, "N", blue.system, blue.symbol),
        ]
    )


@pytest.mark.parametrize(
    ("side", "games"),
    [
        ("yellow", [one_turn_each(YELLOW_CREWS[0], blue) for blue in BLUE_CREWS]),
        ("blue", [one_turn_each(yellow, BLUE_CREWS[0]) for yellow in YELLOW_CREWS]),
    ],
)
def test_no_frame_of_one_side_tells_the_others_secrets(
    side: str, games: list[Logbook], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = []
    for number, game in enumerate(games):
        file = tmp_path / f"{number}.log"
        file.write_text(write(game), encoding="utf-8")
        every = [str(step) for step in range(len(game.steps) + 1)]
        frames.append([printed(capsys, str(file), "--side", side, "--to", to) for to in every])
    assert len(frames[0]) == 12
    assert frames[0] == frames[1]


def test_both_sides_do_tell_them_apart() -> None:
    one, two = (one_turn_each(YELLOW_CREWS[0], blue) for blue in BLUE_CREWS)
    assert write(one) != write(two)


def test_a_logbook_from_stdin(duel: str) -> None:
    ran = fathom("replay", "-", "--to", "23", send=Path(duel).read_bytes())
    assert ran == (0, AFTER_23, "")


def test_what_was_said_and_what_can_be_worked_out_from_it() -> None:
    film = FollowedGame(short_duel().setup)
    for step in short_duel().steps:
        film.show(step.events)
    assert film.said[-3:] == [
        "Yellow's torpedo explodes on G6: blue indirect hit, 1 damage.",
        "Blue surfaces in sector 4.",
        "Blue's turn ends: yellow has 3 turns.",
    ]
    # Next to G6, in sector 4, two courses north of the sea: H7 is not, for H9 is an island.
    assert film.beliefs[CREW_A].possible == collect(map(parse, "F6 H6 F7".split()))


def test_a_logbook_can_not_play_tricks_on_the_terminal(
    duel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(duel).read_text(encoding="utf-8")
    text = text.replace('title = "Captain Sonar"', 'title = "\\u001b[2J[red]"')
    text = text.replace('"east"', '"\\u0007east"')
    Path(duel).write_text(text, encoding="utf-8")
    out = printed(capsys, duel)
    assert "a submarine duel   ?[2J[red], Alpha" in out
    assert "Yellow sails ?east." in out
    assert not set("\x1b\x07") & set(out)


# What can't be replayed


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("sets course E", "sets course X"), "expected one of N, S, E, W"),
        (("blue sets course N", "blue sets course S"), "line "),
        (("on G6: yellow miss", "on G6: yellow direct hit"), "by the rules"),
        (('rulebook = "captain-sonar"', 'rulebook = "chess"'), "line 3, column 1: expected"),
        (("---", "--"), "expected a header and a line ---"),
    ],
)
def test_a_bad_logbook_is_refused_with_its_line(
    change: tuple[str, str], complaint: str, duel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path(duel).read_text(encoding="utf-8")
    assert change[0] in text
    Path(duel).write_text(text.replace(*change, 1), encoding="utf-8")
    assert main(["replay", duel]) == 1
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--side", "green"], "there is no side 'green'; the crews are yellow and blue"),
        (["--to", "26"], "the logbook has 25 steps, so there is no 26"),
    ],
)
def test_what_is_not_there_can_not_be_shown(
    arguments: list[str], complaint: str, duel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", duel, *arguments]) == 1
    assert complaint in capsys.readouterr().err


def test_bytes_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "noise"
    file.write_bytes(b"logbook = \xff")
    assert main(["replay", str(file)]) == 1
    assert "is not UTF-8 text (byte 11)" in capsys.readouterr().err


# On a terminal


def test_keys_lead_through_the_duel(duel: str) -> None:
    with on_terminal("replay", duel) as running:
        running.wait_for("Step 0 of 25")
        for keys, step in [
            ("\r", "Step 2 of 25"),
            (" ", "Step 4 of 25"),
            ("\x1b[C", "Step 5 of 25"),
            (".", "Step 6 of 25"),
            (",", "Step 5 of 25"),
            ("\x1b[D", "Step 4 of 25"),
            ("b", "Step 2 of 25"),
            ("G", "Step 25 of 25"),
            ("\r", "Step 25 of 25"),
            ("g", "Step 0 of 25"),
            ("?", "Step 0 of 25"),
        ]:
            running.press(keys)
            running.wait_for(step)
        running.press("q")
        ran = running.end()
    assert ran.code == 0
    assert ran.out.index("\x1b[?1049l") < ran.out.index("Step 0 of 25: the beginning")


def test_it_plays_by_itself(duel: str) -> None:
    with on_terminal("replay", duel, "--auto", "0.01", "--to", "13") as running:
        ran = running.end()
    assert ran.code == 0
    steps = [int(n) for n in re.findall(r"Step (\d+) of 25", ran.out)]
    assert steps == [13, 17, 20, 21, 24, 25, 25]


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("a", ["a"]),
        ("\r", ["enter"]),
        ("  q", ["space", "space", "q"]),
        ("\x1b[C", ["right"]),
        ("\x1bOD", ["left"]),
        ("\x1b", ["q"]),
        ("\x1b[99~", ["unknown"]),
        ("", ["q"]),
    ],
)
def test_keys_have_names(typed: str, keys: list[str]) -> None:
    assert named(typed) == keys
