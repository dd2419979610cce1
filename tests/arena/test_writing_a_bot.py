"""docs/writing-a-bot.md: its bots play, without a fault, and better than cadets."""

import re
import shlex
import sys
from pathlib import Path

import msgspec
import pytest

from fathom.arena.entrants import Entrant
from fathom.arena.forms import DECODER
from fathom.arena.match import Match, MatchOutcome
from fathom.arena.tournament import settings
from fathom.cli.parser import build_parser
from fathom.words import CREWS, ByCrew, Crew, Mode
from tests.arena.tables import CADET

PAGE = Path(__file__).parents[2] / "docs" / "writing-a-bot.md"
PLACES = settings(("captain-sonar", "sonar"), tuple(Mode), ("alpha",))


def blocks(language: str) -> list[str]:
    """The code on the page."""
    return re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def duels(
    entrant: Entrant, pairs: int, places: int = len(PLACES)
) -> list[tuple[Crew, MatchOutcome]]:
    """Against cadets, in every place, with sides swapped."""
    found = []
    for setting in PLACES[:places]:
        setup = setting.prepare()
        for seed in range(pairs):
            for crew in CREWS:
                crews = ByCrew(CADET, CADET).put(crew, entrant)
                found.append((crew, Match(setup, crews, seed).play()))
    return found


def holds_its_own(played: list[tuple[Crew, MatchOutcome]]) -> None:
    assert [outcome.fault for _, outcome in played if outcome.fault] == []
    won = sum(outcome.winner is crew for crew, outcome in played)
    assert won > len(played) / 2


@pytest.fixture(scope="module")
def hunter(tmp_path_factory: pytest.TempPathFactory) -> Entrant:
    file = tmp_path_factory.mktemp("hunter") / "hunter.py"
    file.write_text(blocks("python")[0])
    return Entrant("hunter", f"python:{file}:Hunter")


def test_it_is_a_bot_of_about_thirty_lines() -> None:
    code = [line for line in blocks("python")[0].splitlines() if line.strip()]
    own = [line for line in code if not line.startswith(("from", "import"))]
    assert len(own) <= 34


def test_the_bot_beats_a_cadet(hunter: Entrant) -> None:
    holds_its_own(duels(hunter, 3, places=1))


@pytest.mark.slow
def test_the_bot_beats_cadets_in_many_games(hunter: Entrant) -> None:
    played = duels(hunter, 4)
    assert len(played) == 32
    holds_its_own(played)


@pytest.mark.slow
def test_the_program_beats_cadets(tmp_path: Path) -> None:
    file = tmp_path / "hunter_program.py"
    file.write_text(blocks("python")[1])
    assert "fathom" not in file.read_text()
    holds_its_own(duels(Entrant("hunter", f"program:{sys.executable} {file}"), 1))


def test_the_answers_shown_are_understood() -> None:
    (shown,) = blocks("json")
    replies = [DECODER.decode(line) for line in shown.splitlines()]
    assert [msgspec.to_builtins(reply)["order"] for reply in replies] == [
        {"order": "course", "heading": "N"},
        None,
        {"order": "charge", "system": "torpedo"},
    ]
    assert len(replies[2].say) == 1


def test_the_commands_shown_have_options_that_exist() -> None:
    commands = [line.split("  #")[0] for text in blocks("sh") for line in text.splitlines()]
    assert len(commands) >= 7
    for command in commands:
        name, *arguments = shlex.split(command)
        assert name == "fathom"
        build_parser().parse_args(arguments)
