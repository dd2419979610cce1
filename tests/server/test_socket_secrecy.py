"""Not a byte that a crew, the public or a stranger receives depends on the enemy's secrets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import islice, zip_longest
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from fathom.rules.setup import House
from fathom.server import duel as duel_module
from fathom.server import harbour as harbour_module
from fathom.server.duel import Duel
from fathom.server.wire import Clocks, Settings
from fathom.words import Crew, Mode
from tests.server.alike import Pair, sound_alike
from tests.server.serving import run, serving
from tests.server.stage import HEAT, Stage

LENGTH = 60
LOOKS = 2
"""How often in a game everything is asked for that can be."""
CODE = "K7QMX"
REAL_TIME = Mode.REAL_TIME
QUICK_HOUSE = House(pause_seconds=0.0)


def settings(rulebook: str, mode: Mode = Mode.TURN_BY_TURN, **house: object) -> Settings:
    agreed = replace(QUICK_HOUSE, **house) if house else QUICK_HOUSE
    # The family game's first scenario names the starts, so there would be less to hide.
    scenario = "jules-verne" if rulebook == "sonar" else None
    return Settings(rulebook=rulebook, mode=mode, scenario=scenario, house=agreed, first=Crew.A)


CLOCKS = Clocks(turn_seconds=3600, game_seconds=36_000)
TABLES = {
    "captain-sonar": (settings("captain-sonar"), 1),
    "captain-sonar-2": (settings("captain-sonar-2", radio_help="tape"), 2),
    "captain-sonar-ru, real time": (settings("captain-sonar-ru", REAL_TIME), 4),
    "captain-sonar-2, real time, closed": (
        settings("captain-sonar-2", REAL_TIME, stations="closed", radio_help="tape"),
        4,
    ),
    "sonar": (settings("sonar"), 1),
    "sonar, real time, closed": (settings("sonar", REAL_TIME, stations="closed"), 2),
    "clocks": (replace(settings("captain-sonar"), clocks=CLOCKS), 1),
    "the computer's help": (settings("captain-sonar-2", radio_help="computer"), 2),
    "spectators who see everything later": (
        replace(settings("captain-sonar"), watching="everything", watch_delay=3600),
        1,
    ),
}
"""Settings, and how many play in a crew."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ours", list(Crew))
def test_nobody_gets_other_bytes_whatever_the_enemy_hides(
    tmp_path: Path, name: str, ours: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our crew, spectators, who looks at the lobby and who asks by HTTP, all while a game runs."""
    given, size = TABLES[name]
    # No time passes on the clocks, so that they show the same in both games.
    monkeypatch.setattr(Duel, "elapsed", lambda _: 0)
    # The code is drawn by lot. In its picture that could not be struck out.
    monkeypatch.setattr(harbour_module, "new_code", lambda: CODE)
    # Bounds that only very long games meet must tell nothing either.
    monkeypatch.setattr(duel_module, "RECENT", 4)
    monkeypatch.setattr(duel_module, "MOST_MISSED", 3000)

    async def story() -> None:
        async with staged(tmp_path / "one", given, size) as stage:
            setup = stage.players[0].games[stage.game].opened.setup
            pairs, games = sound_alike(setup, ours, Random(f"{name}/{ours}"), LENGTH)
            assert len(pairs) >= LENGTH // 2
            if games.one.public.result is not None:
                # After the end there are no secrets any more.
                pairs.pop()
            assert {"helm", "radio"} <= games.differing
            one = await perform(stage, pairs, ours, hidden=False)
        async with staged(tmp_path / "other", given, size) as stage:
            other = await perform(stage, pairs, ours, hidden=True)
        assert differing(one, other) == []
        check_seen(name, one)

    run(story())


@asynccontextmanager
async def staged(folder: Path, given: Settings, size: int) -> AsyncIterator[Stage]:
    """A game on a server of its own, so that nothing of another game is in the answers."""
    async with serving(folder, public="https://sonar.example/", bot_processes=1) as server:
        stage = Stage(server, given, size)
        await stage.open()
        yield stage


def check_seen(name: str, seen: dict[str, list[str]]) -> None:
    """What was compared was worth comparing."""
    assert sum(map(len, seen.values())) > 2 * LENGTH
    told = "".join(text for stream in seen.values() for text in stream)
    assert ('"clock":{"running"' in told) == (name == "clocks")
    assert (HEAT in told) == (name == "the computer's help")
    assert "game-not-over" in told
    assert '"type":"refused"' in told
    assert "secret plan" not in told
    late = [text for text in seen["Watcher"] if '"boats":' in text]
    assert len(late) == (name == "spectators who see everything later")
    assert [text for text in seen["Follower"] if '"type":"lobby"' in text] == []
    for number in range(1, LOOKS + 1):
        assert any('"type":"chat"' in text for text in seen[f"Tab {number}"])
        assert any('"type":"told"' in text for text in seen[f"Later watcher {number}"])


def differing(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[tuple[str, ...]]:
    """For each who received anything else in the other game, the first that was different."""
    found: list[tuple[str, ...]] = []
    assert one.keys() == other.keys()
    for name, stream in one.items():
        pairs = enumerate(zip_longest(stream, other[name], fillvalue="nothing"))
        unlike = ((name, str(n), a, b) for n, (a, b) in pairs if a != b)
        found += list(islice(unlike, 1))
    return found


async def perform(
    stage: Stage, pairs: list[Pair], ours: Crew, *, hidden: bool
) -> dict[str, list[str]]:
    """Play the orders of one of the games; in the other the enemy also does what nobody hears."""
    dice = Random(8)
    halves = {len(pairs) * n // LOOKS for n in range(1, LOOKS + 1)}
    for number, pair in enumerate(pairs, 1):
        await stage.give(pair.seat, pair.other if hidden else pair.order)
        await stage.settle()
        if hidden and dice.random() < 0.5:
            await stage.hide(ours.other, number)
        if number % 9 == 0:
            await stage.talk(number)
        if number in halves:
            await stage.look(ours)
    await stage.settle_follower()
    await stage.settle()
    return stage.received(ours)
