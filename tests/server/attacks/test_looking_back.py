"""Whoever asks for all of a long game, again and again and on many connections, stops nobody."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET

from fathom.client import Failed
from fathom.server import duel as duel_module
from fathom.server import wire
from fathom.server.crewman import Gap, starts_afresh
from fathom.server.duel import Duel, Missed, slices
from fathom.server.limits import Rate
from fathom.server.log import StoredStep
from fathom.server.wire import NEWS, Told
from fathom.words import Seat
from tests.server.serving import duel_of, holds, play_on, run, serving

FEW = Rate(3, 1e-6)


class RecordingEar:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[Told] = []

    def push(self, message: bytes) -> None:
        news = NEWS.decode(message)
        if isinstance(news, Told):
            self.told.append(news)

    def hint(self, message: bytes) -> None:
        self.push(message)


async def turns_during(duel: Duel, listener: RecordingEar, seat: Seat, *, complete: bool) -> int:
    """Let somebody hear all of a game; how often others had their turn meanwhile."""
    turns, done = 0, False

    async def others() -> None:
        nonlocal turns
        while not done:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await duel.attach(listener, seat, 0, complete=complete)
    duel.detach(listener)
    done = True
    await task
    return turns


def test_all_of_a_game_is_told_in_slices_and_what_is_left_out_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, players = await duel_of(server)
            await play_on(players, game, Random(3), 60)
            duel = server.harbour.rooms[code].duel
            assert duel is not None
            seat = next(iter(duel.seats))
            everything = duel.audiences[seat].position
            assert everything > duel_module.RECENT
            steps = await server.harbour.log.read(game)

            all_at_once, in_slices, cut = RecordingEar(), RecordingEar(), RecordingEar()
            await turns_during(duel, all_at_once, seat, complete=False)
            monkeypatch.setattr(duel_module, "SLICE", 300)
            count = len(list(slices(steps)))
            assert count > 10
            assert await turns_during(duel, in_slices, seat, complete=False) >= count
            (told,), (same,) = all_at_once.told, in_slices.told
            assert told.events == same.events
            assert (len(told.events), told.position, told.skipped) == (
                everything,
                everything,
                UNSET,
            )

            monkeypatch.setattr(duel_module, "MOST_MISSED", 1000)
            await turns_during(duel, cut, seat, complete=False)
            (short,) = cut.told
            assert isinstance(short.skipped, int)
            assert 0 < len(short.events) == everything - short.skipped
            assert short.events == told.events[short.skipped :]
            await turns_during(duel, cut, seat, complete=True)
            assert cut.told[-1].events == told.events

    run(story())


def test_what_happens_while_the_past_is_told_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duel_module, "SLICE", 1)
    look_back = Duel.look_back
    reading = most = 0

    async def watched(duel: Duel, *rest: object) -> Missed:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        try:
            return await look_back(duel, *rest)  # type: ignore[arg-type]
        finally:
            reading -= 1

    monkeypatch.setattr(Duel, "look_back", watched)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, players = await duel_of(server)
            await play_on(players, game, Random(3), 60)
            duel = server.harbour.rooms[code].duel
            assert duel is not None
            seat = next(iter(duel.seats))
            listeners = [RecordingEar() for _ in range(4)]
            hearing = [asyncio.create_task(duel.attach(one, seat, 0)) for one in listeners]
            await play_on(players, game, Random(4), 10)
            await asyncio.gather(*hearing)
            await play_on(players, game, Random(5), 4)
            await holds(lambda: listeners[0].told[-1].position == duel.audiences[seat].position)
            for one in listeners:
                heard = [event for told in one.told for event in told.events]
                assert len(heard) == one.told[-1].position == duel.audiences[seat].position
            assert most == 1, "one at a time"

    run(story())


def test_a_bot_that_misses_something_says_so() -> None:
    def told(position: int, *, whole: bool = False) -> Told:
        return Told(game="game", position=position, whole=whole, view=wire.Sheets())

    assert not starts_afresh(told(5), 5)
    assert starts_afresh(told(0, whole=True), 5)
    for whole in (False, True):
        with pytest.raises(Gap):
            starts_afresh(told(6, whole=whole), 5)


def test_all_connections_of_a_player_have_one_allowance(tmp_path: Path) -> None:
    async def story() -> None:
        rates = {"openings": FEW, "stand_ins": FEW}
        async with serving(tmp_path, bot_processes=1, rates=rates, rate_factor=1.0) as server:
            ann = await server.player("Ann")
            code = await server.table(ann)
            again = await server.tab(ann.token)
            await again.do(wire.OpenTable(table=code))
            await ann.do(wire.OpenTable(table=code))
            for client in (ann, again):
                with pytest.raises(Failed, match="too-many-messages"):
                    await client.do(wire.OpenTable(table=code))
            bob = await server.player("Bob")
            await bob.do(wire.OpenTable(table=code))

    run(story())


def test_letting_a_bot_play_and_taking_over_again_has_a_limit(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(
            tmp_path, bot_processes=1, rates={"stand_ins": FEW}, rate_factor=1.0
        ) as server:
            code, _, (ann, bob) = await duel_of(server)
            for on in (True, False, True):
                await ann.do(wire.LetBotPlay(table=code, on=on))
            with pytest.raises(Failed, match="too-many-messages"):
                await ann.do(wire.LetBotPlay(table=code, on=False))
            await bob.do(wire.LetBotPlay(table=code, on=True))

    run(story())


def test_steps_are_cut_into_slices_by_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_module, "SLICE", 1000)
    steps = [StoredStep("a0", "", 0, 0, b"x" * 400) for _ in range(7)]
    assert [len(part) for part in slices(steps)] == [2, 2, 2, 1]
    assert list(slices([])) == []
