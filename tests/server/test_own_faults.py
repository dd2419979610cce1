"""A fault of our own: whoever gave the order is answered, it is counted, and the game goes on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.server import duel as duel_module
from fathom.server import wire
from fathom.server.duel import Duel
from tests.server.serving import duel_of, run, serving, settled, sheets

POISON = give.SlideSheet(7, 7)


def test_an_order_that_cant_be_judged_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(game: Any, by: Any, order: AnyOrder) -> Sequence[Any]:
        if order == POISON:
            raise RuntimeError("a fault of our own")
        return decide(game, by, order)

    monkeypatch.setattr(duel_module, "decide", faulty)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            _, game, (ann, bob) = await duel_of(server)
            answer = await ann.order(game, POISON)
            assert isinstance(answer, wire.Problem)
            assert answer.error == "internal"
            assert server.harbour.metrics.faults == 1
            for client in (ann, bob):
                assert isinstance(await client.order(game, give.SlideSheet(1, 1)), wire.Done)
            steps = await server.harbour.log.read(game)
            assert sum(bool(step.key) for step in steps) == 2

    run(story())


def test_a_step_that_cant_be_told_is_read_again_and_shown_to_everyone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell_circle, left = Duel.tell_circle, [1]

    def faulty(self: Duel, *about: Any) -> None:
        if left:
            left.pop()
            raise RuntimeError("a fault of our own")
        tell_circle(self, *about)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server)
            monkeypatch.setattr(Duel, "tell_circle", faulty)
            answer = await ann.order(game, give.SlideSheet(3, 2))
            assert isinstance(answer, wire.Done)
            assert server.harbour.metrics.faults == 1
            for client in (ann, bob):
                assert isinstance(await client.order(game, give.SlideSheet(4, 4)), wire.Done)
            await settled([ann, bob], game)
            for client in (ann, bob):
                assert sheets(client, game) == await sheets_of_a_new_tab(server, client, code, game)
            slid = [step for step in await server.harbour.log.read(game) if step.key]
            assert len({step.key for step in slid}) == len(slid)

    async def sheets_of_a_new_tab(server: Any, client: Client, code: str, game: str) -> Any:
        tab = await server.tab(client.token)
        await tab.open(code)
        await settled([tab], game)
        return sheets(tab, game)

    run(story())
