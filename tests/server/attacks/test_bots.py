"""Bots of one host take no time from those of another, and play for nobody who is gone."""

from pathlib import Path
from random import Random

import pytest

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.server import wire
from fathom.server.barracks import UNDER_WAY, Mess
from fathom.server.bot_tasks import AnyTask, Ask
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.serving import Server, begun, duel_of, holds, play_on, run, serving
from tests.server.test_bots import until_turns

AT_ONCE = Settings(rank=Rank.ENSIGN, pace="at-once")


async def bots_only(server: Server, host: Client) -> str:
    """A game in which only bots play, watched by its host."""
    code = await server.table(host, AT_ONCE)
    for crew in Crew:
        await host.do(wire.PlaceBot(table=code, crew=crew, rank=Rank.ENSIGN))
    await host.do(wire.Start(table=code))
    await begun([host], code)
    return code


def test_many_bots_of_one_host_keep_nobody_else_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[tuple[str, str, str]] = []
    """What happened at the bot process: asked or answered, for whom, and which bot."""
    send, settle = Mess.send, Mess.settle

    def note_question(mess: Mess, task: AnyTask) -> None:
        if isinstance(task, Ask):
            noted.append(("asked", mess.shares.get(task.bot, ""), task.bot))
        send(mess, task)

    def note_answer(mess: Mess, bot: str) -> None:
        noted.append(("answered", mess.shares.get(bot, ""), bot))
        settle(mess, bot)

    monkeypatch.setattr(Mess, "send", note_question)
    monkeypatch.setattr(Mess, "settle", note_answer)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            eve, ann = await server.player("Eve"), await server.player("Ann")
            for _ in range(6):
                await bots_only(server, eve)
            made = await fathom_client.new_table(server.url, ann.token, AT_ONCE, solo=True)
            await ann.open(made.table, position=0)
            game = await begun([ann], made.table)
            await until_turns(ann, game, Random(1), 6)
            assert ann.welcome is not None
            waits = list(waited(noted, ann.welcome.you))
            assert len(waits) > 6
            # Those that the process had begun with, and one in which both were equal before.
            assert max(waits) <= UNDER_WAY + 1
            assert sum(share != ann.welcome.you for _, share, _ in noted) > len(waits)

    run(story())


def waited(noted: list[tuple[str, str, str]], who: str) -> list[int]:
    """For each question of one share, how many of others were answered before it."""
    waits, waiting = [], dict[str, int]()
    for what, share, bot in noted:
        if share == who:
            if what == "asked":
                waiting[bot] = 0
            elif bot in waiting:
                waits.append(waiting.pop(bot))
        elif what == "answered":
            waiting = {other: count + 1 for other, count in waiting.items()}
    return waits


def test_bots_rest_when_nobody_watches_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            harbour, metrics = server.harbour, server.harbour.metrics
            host = await server.player("Ann")
            code = await bots_only(server, host)
            await holds(lambda: metrics.bot_orders > 20)
            await host.do(wire.CloseTable(table=code))
            room = harbour.rooms[code]
            duel = room.duel
            assert duel is not None
            assert duel.stopped is not None
            # What was under way is finished.
            (mess,) = harbour.barracks.messes
            await holds(lambda: not (mess.under_way or duel.inbox or duel.working))
            before, steps = metrics.bot_orders, duel.position
            # Meanwhile others play.
            _, game, players = await duel_of(server)
            await play_on(players, game, Random(2), 20)
            assert (metrics.bot_orders, duel.position) == (before, steps)
            await host.open(code)
            await holds(lambda: metrics.bot_orders > before + 10 or duel.over)

    run(story())
