"""An enemy whose secrets the test knows: a client of the wire, in a thread beside the browser."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, Final, Self, TypeVar

from fathom import client as fathom_client
from fathom.client import Client, Seen
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.server import wire
from fathom.server.wire import Settings
from fathom.words import Crew, Heading, Kind, System

T = TypeVar("T")
PATIENCE: Final = 60.0
SPARED: Final = (Kind.RED, Kind.YELLOW)
"""Kinds that would break mines and silence."""


class Enemy:
    """Crew b at a table of its own, all posts in one hand; it does what it is told."""

    def __init__(self, url: str, settings: Settings) -> None:
        self.url, self.settings = url, settings
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        self.wait(self.come())
        return self

    def __exit__(self, *_: object) -> None:
        self.wait(self.client.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(PATIENCE)
        self.loop.close()

    def wait(self, doing: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(doing, self.loop).result(PATIENCE)

    async def come(self) -> None:
        """Open the table; both boats get names that are no chance's."""
        identity = await fathom_client.register(self.url, "Enemy")
        self.client = await Client(self.url, identity.token).__aenter__()
        made = await fathom_client.new_table(self.url, identity.token, self.settings)
        self.table = made.table
        await self.client.open(self.table)
        for crew, boat in zip(Crew, ("First boat", "Other boat"), strict=True):
            await self.client.do(wire.NameBoat(table=self.table, crew=crew, boat=boat))
        await self.client.do(wire.Sit(table=self.table, crew=Crew.B))
        await self.client.do(wire.GetReady(table=self.table))

    @property
    def game(self) -> str:
        return self.client.tables[self.table].game or ""

    @property
    def seen(self) -> Seen:
        return self.client.games[self.game]

    def start(self) -> None:
        """Begin, as soon as everybody is ready."""

        def ready() -> bool:
            return self.client.tables[self.table].obstacle is None

        self.wait(self.client.until(ready, PATIENCE))
        self.wait(self.client.do(wire.Start(table=self.table)))
        self.wait(self.client.until(lambda: self.game in self.client.games, PATIENCE))

    def give(self, order: AnyOrder) -> None:
        answer = self.wait(self.client.order(self.game, order))
        assert isinstance(answer, wire.Done), (order, answer)

    def place_and_dive(self) -> None:
        """Start wherever it may."""
        self.until_offered(give.Place)
        self.give(self.offered(give.Place)[0])
        self.until_offered(give.Dive)
        self.give(give.Dive())

    def until_offered(self, kind: type[AnyOrder]) -> None:
        """Wait until an order of this kind may be given."""
        self.wait(self.client.until(lambda: any(self.offered(kind)), PATIENCE))

    def offered(self, kind: type[AnyOrder]) -> list[Any]:
        return [order for order in self.seen.offer.orders if isinstance(order, kind)]

    def sail(self, heading: Heading, system: System, which: int) -> None:
        """One course with its marks."""
        self.until_offered(give.SetCourse)
        self.give(give.SetCourse(heading))
        self.mark(system, which)

    def mark(self, system: System, which: int) -> None:
        """A box of this gauge, and the first or last symbol that spares what is needed."""
        self.give(give.Charge(system))
        symbols = self.offered(give.CrossOut)
        spared = [order for order in symbols if self.kind_of(order.symbol) not in SPARED]
        self.give((spared or symbols)[which])

    def kind_of(self, symbol: str) -> Kind:
        sheet = self.seen.opened.setup.sheet
        assert sheet is not None
        return next(one.kind for one in sheet.symbols if one.name == symbol)
