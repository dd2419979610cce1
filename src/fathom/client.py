"""A small client of the wire: for bots, tests and ``fathom join``.

It resumes by itself: after a lost connection it comes again, opens its tables where it left them,
and sends again what was not answered, under the same id, so that an order takes effect once.
"""

import asyncio
import itertools
import logging
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from random import Random
from types import TracebackType
from typing import Any, Final, Self, TypeVar, get_args

import aiohttp
import msgspec
from msgspec import UNSET, Struct, UnsetType

from fathom.engine.game import Film
from fathom.engine.knowledge.heard import Announcement, Heard
from fathom.engine.orders import AnyOrder
from fathom.points import unspell
from fathom.server import wire
from fathom.server.wire import (
    NEWS,
    AnyNews,
    AnyRequest,
    Done,
    GameOpened,
    Goodbye,
    Identity,
    MyTokens,
    Offered,
    OpenTable,
    Problem,
    ProgramMade,
    Refused,
    Scope,
    Sheets,
    TableMade,
    TableNews,
    Told,
    Welcome,
    encode,
)

NOTES: Final = logging.getLogger("fathom.client")
T = TypeVar("T")
PING_SECONDS: Final = 2.5
SILENT_SECONDS: Final = 9.0
"""A server that says nothing for so long, not even to pings, is given up."""
FIRST_WAIT, LONGEST_WAIT = 0.2, 5.0
"""Seconds before coming again, or sending again what was not saved: they double, with jitter."""
PASSING: Final = frozenset(
    {"too-many-connections", "too-many-messages", "going-down", "not-saved", "internal"}
)
"""Errors at the door that may be gone after a while."""
KINDS: Final = frozenset(kind.__struct_config__.tag for kind in get_args(AnyNews))

ServerAnswer = Done | Refused | Problem


class Failed(Exception):
    """What the server could not do: an error's key or a rule's name."""

    def __init__(self, error: str, arguments: wire.Arguments | None = None) -> None:
        super().__init__(error)
        self.error, self.arguments = error, arguments or {}


class AnyMessage(Struct):
    """A message of a newer server, as far as anybody must understand it."""

    type: str = ""
    id: str | None = None
    error: str = ""
    fatal: bool = False


def read_news(text: str) -> AnyNews | None:
    """A message; None for a kind, or with a word, that only a newer release knows."""
    try:
        return NEWS.decode(text)
    except msgspec.ValidationError:
        known = msgspec.json.decode(text, type=AnyMessage)
        if known.type != "problem":
            if known.type in KINDS:
                NOTES.warning("a message of kind %s was not understood", known.type)
            return None
        # Whoever asked waits for an answer, whatever the error is called.
        return Problem(id=known.id, error=known.error, fatal=known.fatal)  # type: ignore[arg-type]


class RadioTable(Struct):
    """The radio operator's table, put together from what was new on it."""

    films: tuple[Film, ...] = ()
    tape: tuple[Announcement, ...] = ()
    locked: bool = False


class Seen:
    """What a seat sees of one game, put together from all that was told."""

    def __init__(self, opened: GameOpened) -> None:
        self.opened = opened
        self.position = 0
        self.sheets: dict[str, Any] = {}
        self.radio = RadioTable()
        self.offer = Offered()
        self.heard: list[Heard] = []
        """All events, in order, since the client came."""

    def take(self, told: Told) -> None:
        """Take in what was told."""
        if told.whole:
            self.sheets, self.radio, self.offer = {}, RadioTable(), Offered()
        self.position = told.position
        self.heard += told.events
        if not isinstance(told.offer, UnsetType):
            self.offer = told.offer
        for name in Sheets.__struct_fields__:
            new = getattr(told.view, name)
            if name == "radio" and new is not UNSET:
                self.take_radio(new)
            elif new is None:
                self.sheets.pop(name, None)
            elif new is not UNSET:
                self.sheets[name] = new

    def take_radio(self, news: wire.RadioNews) -> None:
        radio = self.radio
        if not isinstance(news.films, UnsetType):
            radio.films = news.films
        if radio.films:
            radio.films = (*radio.films[:-1], changed_film(radio.films[-1], news))
        if not isinstance(news.tape, UnsetType):
            kept = 0 if isinstance(news.tape_from, UnsetType) else news.tape_from
            radio.tape = radio.tape[:kept] + news.tape
        if not isinstance(news.locked, UnsetType):
            radio.locked = news.locked

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        public = self.sheets.get("public")
        return public is not None and public.result is not None


def changed_film(film: Film, news: wire.RadioNews) -> Film:
    """The transparent sheet in use, after what was new on it."""
    items = film.items
    if not isinstance(news.rubbed, UnsetType):
        items = items[: news.rubbed - 1] + items[news.rubbed :]
    if not isinstance(news.items, UnsetType):
        items += news.items
    x = film.x if isinstance(news.x, UnsetType) else news.x
    y = film.y if isinstance(news.y, UnsetType) else news.y
    return Film(x, y, items)


class Client:
    """One player's connection; ``async with Client(url, token) as client``."""

    def __init__(self, url: str, token: str, *, resumes: bool = True) -> None:
        self.url, self.token, self.resumes = url.rstrip("/"), token, resumes
        self.welcome: Welcome | None = None
        self.tables: dict[str, wire.TableState] = {}
        self.games: dict[str, Seen] = {}
        self.open_tables: dict[str, OpenTable] = {}
        self.pending: dict[str, tuple[AnyRequest, asyncio.Future[ServerAnswer]]] = {}
        self.chat: dict[str, int] = {}
        self.listeners: list[Callable[[AnyNews], None]] = []
        self.raw: list[Callable[[str], None]] = []
        """Called with every message as it came."""
        self.numbers = itertools.count(1)
        self.prefix = secrets.token_urlsafe(6)
        self.dice = Random()
        self.connected = asyncio.Event()
        self.changed = asyncio.Condition()
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.runner: asyncio.Task[None] | None = None
        self.failure: Exception | None = None
        self.greeted = False
        """Whether this connection was welcomed."""
        self.retry_seconds = 0.0
        """How long the server asked to wait."""
        self.refused: Counter[str] = Counter()
        """How often each message was not saved."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.comings = 0
        """How often it connected."""

    # Coming and going

    async def __aenter__(self) -> Self:
        self.session = aiohttp.ClientSession()
        self.runner = asyncio.create_task(self.run())
        waiting = asyncio.create_task(self.connected.wait())
        await asyncio.wait([waiting, self.runner], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.failure is not None:
            await self.close()
            raise self.failure
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Go for good."""
        tasks = [*self.tasks, *((self.runner,) if self.runner is not None else ())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.socket is not None:
            await self.socket.close()
        await self.session.close()

    async def run(self) -> None:
        """Be connected, again and again."""
        attempts = 0
        while True:
            self.greeted, self.retry_seconds = False, 0.0
            try:
                await self.connect()
            except (aiohttp.ClientError, OSError, TimeoutError):
                pass
            except Failed as failed:
                if failed.error not in PASSING or not self.resumes:
                    self.fail(failed)
                    return
            attempts = 0 if self.greeted else attempts + 1
            self.connected.clear()
            if not self.resumes:
                self.fail(ConnectionError("the connection is closed"))
                return
            await asyncio.sleep(max(self.back_off(attempts), self.retry_seconds))

    def back_off(self, attempts: int) -> float:
        """Seconds to wait after so many attempts in vain: nobody comes all at once."""
        wait: float = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempts, 10))
        return wait * (0.5 + self.dice.random())

    def fail(self, failure: Exception) -> None:
        self.failure = failure
        for _, answer in self.pending.values():
            if not answer.done():
                answer.set_exception(failure)
        self.pending = {}
        self.keep(self.wake())

    async def wake(self) -> None:
        """Let those look again who wait for something."""
        async with self.changed:
            self.changed.notify_all()

    async def connect(self) -> None:
        """One connection, from greeting to end."""
        async with asyncio.timeout(SILENT_SECONDS):
            self.socket = await self.session.ws_connect(
                f"{self.url.replace('http', 'ws', 1)}/socket", max_msg_size=0, timeout=TIMEOUT
            )
        async with self.socket:
            await self.send(wire.Hello(protocol=wire.PROTOCOL, token=self.token))
            pinging = asyncio.create_task(self.ping())
            try:
                async for message in self.socket:
                    if message.type is not aiohttp.WSMsgType.TEXT:
                        continue
                    for listener in self.raw:
                        listener(message.data)
                    news = read_news(message.data)
                    if news is not None and not await self.receive(news):
                        return
            finally:
                pinging.cancel()

    async def ping(self) -> None:
        for number in itertools.count(1):
            await asyncio.sleep(PING_SECONDS)
            await self.send(wire.Ping(number=number))

    async def send(self, request: AnyRequest) -> None:
        """Send a message; if the connection is just lost, it is sent when it is there again."""
        if self.socket is not None and not self.socket.closed:
            try:
                await self.socket.send_str(encode(request).decode())
            except ConnectionError:
                return

    # What comes

    async def receive(self, news: AnyNews) -> bool:
        """Take a message in; whether the connection goes on."""
        match news:
            case Welcome():
                self.welcome, self.greeted = news, True
                await self.resume()
            case Done() | Refused():
                self.answered(news.id, news)
            case Problem():
                if news.fatal or not self.greeted:
                    raise Failed(news.error, news.arguments)
                if news.error != "not-saved":
                    self.answered(news.id, news)
                else:
                    self.keep(self.again(news.id, self.socket))
            case TableNews():
                self.tables[news.table.code] = news.table
            case wire.TableClosed():
                self.open_tables.pop(news.table, None)
            case wire.ChatLine():
                self.chat[news.table] = news.number
            case GameOpened():
                known = self.games.get(news.game)
                if known is None:
                    self.games[news.game] = Seen(news)
                else:
                    known.opened = news
            case Told() if news.game in self.games:
                self.games[news.game].take(news)
            case Goodbye():
                self.retry_seconds = news.retry_seconds * (0.5 + self.dice.random())
                return False
            case _:
                pass
        for listener in self.listeners:
            listener(news)
        await self.wake()
        return True

    async def resume(self) -> None:
        """Open what was open, and send again what was not answered."""
        self.comings += 1
        asked = {
            request.table for request, _ in self.pending.values() if isinstance(request, OpenTable)
        }
        for code in self.open_tables.keys() - asked:
            _ = self.expect(self.opening(code, self.new_id()))
        waiting = [request for request, _ in self.pending.values()]
        # An order is for a table that is open.
        for request in sorted(waiting, key=lambda request: not isinstance(request, OpenTable)):
            await self.send(self.afresh(request))
        self.connected.set()

    def expect(self, request: AnyRequest) -> "asyncio.Future[ServerAnswer]":
        """An answer to a message that has an id; until it comes, the message is sent again."""
        answer: asyncio.Future[ServerAnswer] = asyncio.get_running_loop().create_future()
        self.pending[request.id or ""] = (request, answer)
        return answer

    def afresh(self, request: AnyRequest) -> AnyRequest:
        """A message that is sent again: a table is opened where we left it."""
        if isinstance(request, OpenTable) and request.table in self.tables:
            return self.opening(request.table, request.id)
        return request

    def opening(self, code: str, id: str | None) -> OpenTable:  # noqa: A002
        """The message that opens a table where we left it."""
        table = self.tables.get(code)
        seen = self.games.get(table.game) if table is not None and table.game else None
        asked = self.open_tables[code]
        return OpenTable(
            id=id,
            table=code,
            key=(table.key if table is not None else None) or asked.key,
            game=seen.opened.game if seen else asked.game,
            position=seen.position if seen else asked.position,
            chat=self.chat.get(code, 0),
        )

    def answered(self, id: str | None, answer: ServerAnswer) -> None:  # noqa: A002
        _, waiting = self.pending.pop(id or "", (None, None))
        self.refused.pop(id or "", None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    async def again(
        self,
        id: str | None,  # noqa: A002
        socket: aiohttp.ClientWebSocketResponse | None,
    ) -> None:
        """Not saved: the same again, after a while."""
        name = id or ""
        await asyncio.sleep(self.back_off(self.refused[name]))
        self.refused[name] += 1
        # On another connection it has been sent again already.
        if name in self.pending and self.socket is socket:
            await self.send(self.afresh(self.pending[name][0]))

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    # What can be asked

    def new_id(self) -> str:
        """A name for a message that nobody else has."""
        return f"{self.prefix}-{next(self.numbers)}"

    async def ask(self, request: AnyRequest) -> ServerAnswer:
        """Send a message that has an id, and wait for its answer, however long it takes."""
        if self.failure is not None:
            raise self.failure
        if request.id is None:
            request = msgspec.structs.replace(request, id=self.new_id())
        answer = self.expect(request)
        await self.send(request)
        return await answer

    async def do(self, request: AnyRequest) -> Done:
        """The same; what can't be done is an error."""
        answer = await self.ask(request)
        if isinstance(answer, Refused):
            raise Failed(answer.rule, answer.arguments)
        if isinstance(answer, Problem):
            raise Failed(answer.error, answer.arguments)
        return answer

    async def open(
        self,
        table: str,
        position: int | None = None,
        game: str | None = None,
        key: str | None = None,
    ) -> None:
        """Be at a table; the key is what the link to an unlisted one carries after the ``#``."""
        self.open_tables[table] = OpenTable(table=table, position=position, game=game, key=key)
        request = self.opening(table, self.new_id())
        if position is not None:
            request = msgspec.structs.replace(request, position=position, game=game)
        await self.do(request)

    async def order(self, game: str, order: AnyOrder) -> ServerAnswer:
        """Give an order, once, however often the connection is lost."""
        return await self.ask(wire.GiveOrder(id=self.new_id(), game=game, order=order))

    async def until(self, holds: Callable[[], bool], seconds: float = 20.0) -> None:
        """Wait for something to hold; it is looked at after every message."""
        async with asyncio.timeout(seconds), self.changed:
            await self.changed.wait_for(lambda: holds() or self.failure is not None)
        if self.failure is not None:
            raise self.failure

    async def news(self) -> AsyncIterator[AnyNews]:
        """Messages as they come."""
        queue: asyncio.Queue[AnyNews] = asyncio.Queue()
        self.listeners.append(queue.put_nowait)
        try:
            while True:
                yield await queue.get()
        finally:
            self.listeners.remove(queue.put_nowait)


TIMEOUT: Final = aiohttp.ClientWSTimeout(ws_receive=SILENT_SECONDS, ws_close=2.0)


async def register(url: str, name: str, device: str = "") -> Identity:
    """A new player at a server."""
    return await call(url, "/api/identity", Identity, wire.NewPlayer(name, device))


async def recover(
    url: str, recovery: str, device: str = "", *, end_others: bool = False
) -> Identity:
    """The same player with another token, by the recovery code; the tokens before may be ended."""
    asked = wire.Recovery(recovery, device, end_others)
    return await call(url, "/api/identity/recover", Identity, asked)


async def renew_recovery(url: str, token: str, old: str = "") -> str:
    """A new recovery code; it asks for the old one, unless there is none yet."""
    asked = wire.NewRecovery(old)
    return (await call(url, "/api/identity/recovery", Identity, asked, token)).recovery


async def devices(url: str, token: str) -> MyTokens:
    """A player's devices and programs."""
    return await call(url, "/api/identity/tokens", MyTokens, token=token)


async def end_device(url: str, token: str, id: str) -> MyTokens:  # noqa: A002
    """End one of a player's tokens, with its connections; what is left."""
    return await delete(url, f"/api/identity/tokens/{id}", MyTokens, token)


async def end_other_devices(url: str, token: str) -> MyTokens:
    """End all of a player's tokens but this one."""
    return await delete(url, "/api/identity/tokens", MyTokens, token)


async def new_program(url: str, token: str, device: str, scope: Scope) -> ProgramMade:
    """A token for a program, which may do what its scope says."""
    asked = wire.NewProgram(device, scope)
    return await call(url, "/api/identity/tokens", ProgramMade, asked, token)


async def new_table(
    url: str, token: str, settings: wire.Settings | None = None, *, solo: bool = False
) -> TableMade:
    """A new table at a server."""
    asked = wire.NewTable(settings or wire.Settings(), solo)
    return await call(url, "/api/tables", TableMade, asked, token)


async def call(
    url: str, path: str, gives: type[T], body: Struct | None = None, token: str = ""
) -> T:
    """One request of the HTTP API: ``POST`` with a body, ``GET`` without."""
    if body is None:
        return await request("GET", url.rstrip("/") + path, gives, None, token)
    return await request("POST", url.rstrip("/") + path, gives, encode(body), token)


async def delete(url: str, path: str, gives: type[T], token: str) -> T:
    """One request of the HTTP API that ends something."""
    return await request("DELETE", url.rstrip("/") + path, gives, None, token)


async def request(method: str, url: str, gives: type[T], data: bytes | None, token: str) -> T:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, url, data=data, headers=headers) as response,
    ):
        text = await response.read()
    if response.status >= 400:
        problem = msgspec.json.decode(text, type=wire.ApiError)
        raise Failed(problem.error, problem.arguments)
    return msgspec.json.decode(text, type=gives, dec_hook=unspell)
