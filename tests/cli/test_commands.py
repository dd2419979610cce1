"""What all commands share: help, exit codes, errors in one sentence, and leaving quietly."""

import subprocess
from pathlib import Path

import pytest

from fathom import __version__
from fathom.cli import main
from tests.cli.running import FATHOM, environment, fathom, on_terminal

pytestmark = pytest.mark.slow

COMMANDS = {
    "play": (
        *("--rulebook", "--scenario", "--mode", "--seed"),
        *("--speed", "--ranks", "--plain", "--save"),
    ),
    "rules": ("NAME", "--book", "--search", "--fields", "--markdown"),
    "charts": ("NAME", "--all", "--check"),
    "replay": ("FILE", "--side", "--to", "--auto"),
    "referee": ("--games",),
    "mcp": ("URL", "--name", "--crew", "--post"),
    "serve": ("--host", "--port", "--data", "--tls", "--announce", "--open"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    help_text = capsys.readouterr().out
    assert left.value.code == 0
    assert f"usage: fathom {command}" in help_text
    assert [option for option in COMMANDS[command] if option not in help_text] == []


def test_the_help_leads_to_the_game_and_lists_all_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    out = capsys.readouterr().out
    assert left.value.code == 0
    assert [command for command in COMMANDS if f"\n    {command} " not in out] == []
    assert "`fathom` alone starts the game in your browser" in out
    assert "bot-worker" not in out


def test_the_version() -> None:
    assert fathom("--version") == (0, f"fathom {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["sink"], "invalid choice: 'sink'"),
        (["play", "--rulebook", "chess"], "invalid choice: 'chess'"),
        (["play", "--speed", "nan"], "'nan' is not a number above 0"),
        (["play", "--seed", "-1"], "'-1' is not a whole number"),
        (["play", "--seed", "1.5"], "'1.5' is not a whole number"),
        (["replay"], "required: FILE"),
        (["rules", "--search", "x", "--fields"], "not allowed with"),
        (["charts", "alpha", "--all"], "not allowed with"),
        (["referee", "--games", "many"], "'many' is not a whole number"),
    ],
)
def test_misuse_ends_with_2_and_one_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    written = capsys.readouterr()
    assert left.value.code == 2
    assert written.out == ""
    assert written.err.startswith("fathom: ")
    assert written.err.count("\n") == 1
    assert complaint in written.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["rules", "move.curse"], "no rule is called 'move.curse'; did you mean move.course"),
        (["rules", "silence"], "did you mean silence.one or silence.move"),
        (["rules", "qqqqq"], "`fathom rules` lists them all"),
        (["rules", "--search", "spaceship"], "no rule speaks of 'spaceship'"),
        (["charts", "atlantis"], "there is no chart or scenario called 'atlantis'"),
        (["charts", "--check", "no-such-file"], "no-such-file can't be read"),
        (["replay", "no-such-file"], "no-such-file can't be read"),
        (["play", "--scenario", "atlantis"], "there is no scenario called 'atlantis'"),
        (["play", "--rulebook", "sonar", "--scenario", "echo"], "no gauges for it"),
    ],
)
def test_what_can_not_be_done_ends_with_1_and_one_sentence(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith("fathom: ")
    assert written.err.count("\n") == 1
    assert complaint in written.err


def test_a_complaint_can_not_play_tricks_on_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["charts", "\x1b[2Jalpha\x07"]) == 1
    assert main(["replay", "\x1b[2J"]) == 1
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert "\x07" not in err


@pytest.mark.parametrize(
    "arguments", [["charts", "--all"], ["rules", "--markdown"], ["play", "--seed", "1"]]
)
def test_a_reader_who_leaves_is_no_trouble(arguments: list[str]) -> None:
    running = subprocess.Popen(  # noqa: S603 - our own program
        [*FATHOM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    complaints = running.stderr.read()
    running.stderr.close()
    assert running.wait(30) == 0
    assert complaints == b""


def test_ctrl_c_ends_a_duel_quietly_and_puts_the_terminal_back() -> None:
    with on_terminal("play", "--seed", "1") as running:
        running.wait_for("Said aloud")
        running.press("\x03")
        ran = running.end()
    assert ran.code == 130
    assert "Traceback" not in ran.out
    assert "\x1b[?1049l" in ran.out
    assert "\x1b[?25h" in ran.out


def test_ctrl_c_ends_the_referee_quietly() -> None:
    with on_terminal("referee") as running:
        running.press('{"do":"games"}\n')
        running.wait_for('"games":{}')
        running.press("\x03")
        ran = running.end()
    assert ran.code == 130
    assert "Traceback" not in ran.out


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}])
def test_no_colours_in_a_pipe(env: dict[str, str]) -> None:
    assert "\x1b" not in fathom("charts", "alpha", env=env).out


def test_colours_on_a_terminal_but_not_with_no_color() -> None:
    with on_terminal("charts", "alpha-10") as running:
        assert "\x1b[" in running.end().out
    with on_terminal("charts", "alpha-10", env={"NO_COLOR": "1"}) as running:
        ran = running.end()
    assert "\x1b" not in ran.out
    assert "1-4 sectors" in ran.out


def test_a_terminal_without_lines_gets_ascii() -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for arguments in (["charts", "--all"], ["rules", "chart.letters"], ["play", "--seed", "2"]):
        ran = fathom(*arguments, env=env)
        assert ran.code == 0
        assert ran.err == ""
        assert ran.out.isascii()


def test_the_name_of_the_command_works_too(tmp_path: Path) -> None:
    script = Path(FATHOM[0]).with_name("fathom")
    if not script.exists():
        pytest.skip("the package is not installed with its script")
    done = subprocess.run([script, "charts"], capture_output=True, timeout=30, check=True)  # noqa: S603 - our own program
    assert b"First edition" in done.stdout
