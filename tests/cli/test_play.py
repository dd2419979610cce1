"""``fathom play``: what a newcomer sees."""

import re
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.engine.logbook import read
from tests.cli.running import fathom, on_terminal

pytestmark = pytest.mark.slow


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["play", *arguments]) == 0
    return capsys.readouterr().out


def test_a_newcomer_sees_at_once_what_this_is(capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys, "--seed", "3").splitlines()[:20]
    assert first[0] == " FATHOM   a submarine duel   Captain Sonar, Alpha, turn by turn"
    assert first[1] == "Two bots hunt each other, and each hears only what is said aloud."
    screen = "\n".join(first)
    assert " YELLOW   hull ■■■■" in screen
    assert " BLUE   hull ■■■■" in screen
    assert "mine □□  torpedo □□□  drone □□□  sonar □□" in screen
    assert "Y yellow   ━━ its route   ◆ its mine   B blue   ══ its route   ◇ its mine" in screen
    assert "• silence   ✶ explosion   · sea   ▒ island   1-4 sectors" in screen


def test_a_duel_is_told_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "--seed", "3")
    told = re.findall(r"^(Yellow|Blue) sails (north|south|east|west)\.$", out, flags=re.MULTILINE)
    assert len(told) > 10
    assert re.search(r"^(Yellow|Blue) wins: (yellow|blue) is sunk\.$", out, flags=re.MULTILINE)
    assert "□□□□" in out.rpartition("FATHOM")[2]
    assert "The same duel again: fathom play --seed 3\n" in out


def test_the_same_seed_plays_the_same_duel(capsys: pytest.CaptureFixture[str]) -> None:
    one, two, other = (printed(capsys, "--seed", seed) for seed in ("11", "11", "12"))
    assert one == two
    assert one != other


def test_without_a_seed_it_tells_the_one_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys)
    seed = re.search(r"fathom play --seed (\d+)$", out, flags=re.MULTILINE)
    assert seed is not None
    assert printed(capsys, "--seed", seed[1]) == out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--rulebook", "captain-sonar-2"), " RED   hull ■■■■"),
        (("--rulebook", "sonar"), "energy □□□□"),
        (("--rulebook", "sonar"), "Blue sails "),
        (("--mode", "real-time"), "Captain Sonar, Alpha, in real time"),
        (("--scenario", "echo"), "scenario □□□□"),
        (("--scenario", "delta-2"), "volcanoes □□□"),
        (("--scenario", "echo-2"), "torpedo out of service"),
        (("--scenario", "delta"), "o hole in the ice"),
    ],
)
def test_every_kind_of_duel_can_be_watched(
    options: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = printed(capsys, "--seed", "1", *options)
    assert words in out
    assert " wins: " in out
    assert f"--seed 1 {' '.join(options)}\n" in out


def test_a_duel_that_is_saved_can_be_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "duel.log"
    out = printed(capsys, "--seed", "3", "--save", str(file))
    logbook = read(file.read_text(encoding="utf-8"))
    assert dict(logbook.info)["seed"] == "3"
    assert main(["replay", str(file), "--to", str(len(logbook.steps))]) == 0
    last = capsys.readouterr().out.splitlines()
    assert last[2:16] == out.rpartition("FATHOM")[2].splitlines()[2:16]


def test_a_file_that_can_not_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--seed", "3", "--save", str(tmp_path)]) == 1
    assert "can't be written: Is a directory" in capsys.readouterr().err


def test_plain_lines_in_a_pipe_wait_for_nobody() -> None:
    ran = fathom("play", "--seed", "3", "--plain", "--speed", "0.01")
    assert ran.code == 0
    assert "\x1b" not in ran.out


# On a terminal


def test_it_is_drawn_live_and_the_last_picture_stays() -> None:
    with on_terminal("play", "--seed", "3", "--speed", "1000") as running:
        ran = running.end()
    assert ran.code == 0
    live, left, after = ran.out.partition("\x1b[?1049l")
    assert left
    assert live.count("FATHOM") > 20
    assert "Keys: space pauses" in live
    assert " wins: " in after
    assert "The same duel again" in after


def test_keys_pause_and_leave() -> None:
    with on_terminal("play", "--seed", "3", "--speed", "0.1") as running:
        running.wait_for("Two bots hunt each other")
        running.press(" ")
        running.wait_for("Paused: space goes on, q leaves")
        running.press(" ")
        running.wait_for("Keys: space pauses")
        running.press("q")
        ran = running.end()
    assert ran.code == 0
    assert "Left after 0 courses." in ran.out


def test_plain_on_a_terminal_draws_nothing_over_again() -> None:
    with on_terminal("play", "--seed", "3", "--plain", "--speed", "1000") as running:
        ran = running.end()
    assert ran.code == 0
    assert "\x1b[?1049h" not in ran.out
    assert ran.out.count("FATHOM") == 2


def test_a_small_terminal_gets_lines_and_a_hint() -> None:
    env = {"COLUMNS": "50", "LINES": "20"}
    with on_terminal("play", "--seed", "3", "--speed", "1000", env=env) as running:
        ran = running.end()
    assert ran.code == 0
    assert "(To draw the duel live, the terminal must be " in ran.out
    assert "\x1b[?1049h" not in ran.out
