"""``fathom mcp``: a seat for a language model, as a server of the Model Context Protocol.

The model's program starts it and speaks to it over standard input and output. It sits down at a
table of a server and holds one seat, with tools to look, to order and to talk.
"""

import asyncio
import logging
import os
import sys
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, Literal

import aiohttp
import msgspec

from fathom import __version__
from fathom.cli.join import ORDERS, TOKEN_VARIABLE, parse_address
from fathom.cli.terminal import OK, Failure
from fathom.client import Client, Failed, Seen, register
from fathom.engine.orders import Resign
from fathom.rules import library
from fathom.rules.text import UnknownRule
from fathom.server import wire
from fathom.words import Crew, Post

MISSING: Final = "fathom mcp needs the extra lab: run `pip install 'fathom-sonar[lab]'`"
LONGEST_WAIT: Final = 60.0
MOST_NEWS: Final = 200
"""Lines of news that are kept until the model asks for them."""
INSTRUCTIONS: Final = """\
You hold one seat of a submarine duel. Your crew knows its own position; of the enemy you hear only
what is announced. Call `view` to see your sheets and what is public, `legal_orders` for all that
you may order now, and `order` with one of them, exactly as it is listed. When nothing is offered,
or it is the enemy's turn, call `wait`, which tells what happened meanwhile. `talk` writes to your
crew or to everyone; `rule` explains a rule by its name, such as one that an order was refused by.
Points are named by column and row, such as H8. Play until the game is over.
"""

Answer = dict[str, Any]


def run(options: Namespace) -> int:
    """Hold a seat until the model's program closes the connection."""
    try:
        from mcp.server.mcpserver import MCPServer
    except ImportError:
        raise Failure(MISSING) from None
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    parse_address(options.url)
    seat = ModelSeat(options)
    server = MCPServer(
        "fathom",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
    )
    for tool in (seat.view, seat.legal_orders, seat.order, seat.wait, seat.talk, seat.rule):
        server.tool()(tool)

    async def hold() -> None:
        async with seat.seated():
            await server.run_stdio_async()

    try:
        asyncio.run(hold())
    except Failed as failed:
        raise Failure(f"the server says no: {failed.error}") from None
    except (aiohttp.ClientError, OSError) as away:
        raise Failure(f"the server can't be reached: {away}") from None
    return OK


class ModelSeat:
    """One seat at a table, and what its holder has not been told yet."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.url, self.code, self.key = parse_address(options.url)
        self.client: Client
        self.news: list[Answer] = []
        self.dropped = 0
        """Lines of news that were too many."""

    @asynccontextmanager
    async def seated(self) -> AsyncIterator[None]:
        """Come to the table, sit and be ready."""
        token = os.environ.get(TOKEN_VARIABLE)
        if not token:
            token = (await register(self.url, self.options.name, "fathom mcp")).token
        async with Client(self.url, token) as client:
            self.client = client
            client.listeners.append(self.hear)
            await client.open(self.code, position=0, key=self.key)
            posts = tuple(Post(post) for post in self.options.post or ())
            await client.do(wire.Sit(table=self.code, crew=Crew(self.options.crew), posts=posts))
            await client.do(wire.GetReady(table=self.code))
            yield

    def hear(self, news: wire.AnyNews) -> None:
        """Keep what happened and what was said."""
        if isinstance(news, wire.Told):
            lines = [{"event": plain(event)} for event in news.events]
        elif isinstance(news, wire.ChatLine):
            lines = [{"said": plain(news)}]
        else:
            return
        self.news += lines
        if len(self.news) > MOST_NEWS:
            self.dropped += len(self.news) - MOST_NEWS
            del self.news[:-MOST_NEWS]

    def game(self) -> Seen | None:
        """The game at the table, once it has begun."""
        table = self.client.tables.get(self.code)
        return self.client.games.get(table.game) if table and table.game else None

    # Tools

    async def view(self) -> Answer:
        """All that your seat sees now: your crew's sheets and what is public."""
        seen = self.game()
        if seen is None:
            return {"phase": "the game has not begun: wait"}
        told = wire.Told(
            game=seen.opened.game, position=seen.position, view=wire.Sheets(**seen.sheets)
        )
        setup = seen.opened.setup
        return {
            "table": self.code,
            "rulebook": setup.book.title,
            "mode": setup.mode.value,
            "chart": list(setup.chart.rows),
            "you": plain(seen.opened.seat),
            "posts": [post.value for post in seen.opened.posts],
            "over": seen.over,
            "sees": plain(told).get("view", {}),
        }

    async def legal_orders(self) -> Answer:
        """All orders that you may give now, and for others the rules that forbid them."""
        seen = self.game()
        return plain(seen.offer) if seen is not None else {"orders": []}

    async def order(self, order: dict[str, Any]) -> Answer:
        """Give one of your legal orders, such as {"order": "course", "heading": "N"}."""
        seen = self.game()
        if seen is None:
            return {"done": False, "why": "the game has not begun"}
        try:
            given = ORDERS.decode(msgspec.json.encode(order))
        except msgspec.DecodeError as bad:
            return {"done": False, "why": f"not understood: {bad}"}
        return answered(await self.client.order(seen.opened.game, given))

    async def wait(self, seconds: float = 20.0) -> Answer:
        """Wait until something happens: what it was, and whether you may order anything now."""
        until = min(max(seconds, 0.0), LONGEST_WAIT)
        with suppress(TimeoutError):
            await self.client.until(lambda: bool(self.news), until)
        news, self.news = self.news, []
        dropped, self.dropped = self.dropped, 0
        seen = self.game()
        return {
            "news": news,
            **({"older_news_dropped": dropped} if dropped else {}),
            "you_may_order": seen is not None and may_order(seen.offer),
            "over": seen is not None and seen.over,
        }

    async def talk(self, text: str, to: Literal["crew", "everyone"] = "crew") -> Answer:
        """Write a line to your crew, or to everyone at the table."""
        channel: wire.Channel = "crew" if to == "crew" else "table"
        request = wire.SayWords(table=self.code, channel=channel, text=text)
        return answered(await self.client.ask(request))

    async def rule(self, name: str) -> Answer:
        """What a rule says, by its name."""
        try:
            return plain(library.rule_text().find(name))  # type: ignore[no-any-return]
        except UnknownRule as unknown:
            return {"error": str(unknown)}


def may_order(offer: wire.Offered) -> bool:
    """Whether there is anything to do but to resign."""
    orders = any(not isinstance(order, Resign) for order in offer.orders)
    return orders or bool(offer.sections) or offer.judging


def answered(answer: wire.Done | wire.Refused | wire.Problem) -> Answer:
    """What the server said to a request."""
    if isinstance(answer, wire.Refused):
        return {"done": False, "rule": answer.rule}
    if isinstance(answer, wire.Problem):
        return {"done": False, "why": answer.error}
    return {"done": True}


def plain(message: Any) -> Any:
    """A message as the server writes it."""
    return msgspec.json.decode(wire.encode(message))
