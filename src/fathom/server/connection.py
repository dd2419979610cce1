"""One connection: what comes in is judged for size and rate, what goes out never holds anyone up.

What there is to say goes to the socket in one go while the client reads. When it does not, messages
wait in the outbox and one task writes them out. A full outbox is thrown away, and the client gets
the whole view instead once it reads again; if it does not read for long, it is disconnected.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from fathom import __version__
from fathom.engine.orders import AnyOrder, TraceSection
from fathom.server import host, wire
from fathom.server import table as at
from fathom.server.chat_moderation import report
from fathom.server.duel import Letter, Outcome
from fathom.server.frames import head
from fathom.server.identity import checked_name, recognise, scope_of
from fathom.server.limits import LONGEST_MESSAGE, MOST_OPEN, Bucket
from fathom.server.log import LogAway, StoredToken
from fathom.server.operating_system import cut_off
from fathom.server.room import Room
from fathom.server.socket import Socket
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.visitors import Visitor
from fathom.server.wire import REQUESTS, Done, Person, Problem, Refused, Welcome, encode
from fathom.words import Seat

if TYPE_CHECKING:
    from fathom.server.harbour import Harbour

NOTES: Final = logging.getLogger("fathom.connection")
SMALL_BACKLOG: Final = 65_536
"""Bytes in the socket's own buffer up to which messages go straight there."""
MOST_WAITING: Final = 300
LARGEST_WAITING: Final = 600_000
"""Messages and bytes that may wait for a client that does not read."""
FEW: Final = 8
"""So many messages are never too many bytes."""
SEND_SECONDS: Final = 10.0
"""How long a client may not read at all."""
SILENT_SECONDS: Final = 9.0
HELLO_SECONDS: Final = 10.0
"""How long a client may be silent, and how long it may take to say who it is."""
PARTING_SECONDS: Final = 2.0
"""How long a client that is dismissed may take to go."""
MOST_UNREAD: Final = 50
"""Messages that wait for an earlier one before no more are read."""
AT_ONCE: Final = (wire.GiveOrder, wire.Ping)
"""What is asked all the time."""
ANSWERED_OTHERWISE: Final = (wire.Hello, wire.Advise)
"""What is not done when it has been handled."""
MOST_WELCOME: Final = 100
"""Of a player's tables, those that are looked at when they come; the client is told of 20."""
MOST_OFFENCES: Final = 200
"""Messages that are none, or too many; after these the connection is closed."""


CHAT_LINE: Final = b'{"type":"chat",'
LONGEST_HEAD: Final = 10
"""Bytes of a frame before its message."""


class NumberedLine(msgspec.Struct):
    """A line of chat, as far as its place goes."""

    table: str
    number: int


class KeptFrame(bytes):
    """A framed message that is kept, whatever else must go."""

    __slots__ = ()


class Connection:
    """A client's socket. It listens for seats, so it is an ``Ear``."""

    # Those first that are looked at for every message: they lie side by side in memory.
    __slots__ = (
        *("closing", "missed_lines", "outbox", "outgoing", "stale", "transport", "writing"),
        *("attending", "heard", "harbour", "orders", "refusing", "seats", "who"),
        *(
            "address",
            "came",
            "changes",
            "chat",
            "closed",
            "inbox",
            "name",
            "offences",
            "openings",
            "rooms",
            "scope",
            "token",
        ),
        *("sending", "socket"),
    )

    def __init__(self, harbour: "Harbour", socket: Socket, address: str) -> None:
        self.harbour, self.socket, self.address = harbour, socket, address
        self.who = self.name = self.token = ""
        """The player, their name, and the id of the token with which they came."""
        self.scope: wire.Scope | None = None
        """What a program may do; None: everything."""
        self.transport = socket.transport
        now = time.monotonic()
        self.outgoing = harbour.outgoing
        self.outbox: list[bytes] = []
        """Messages, framed. Who has some is outgoing, or there is a task that writes them."""
        self.stale = False
        """Whether the outbox was thrown away, and whole views must come instead."""
        self.missed_lines: dict[str, int] = {}
        """For tables of whose chat a line was thrown away, the last line before that."""
        self.writing: asyncio.Task[None] | None = None
        """Writes to a client that reads slowly."""
        self.sending: float | None = None
        self.closing = False
        self.closed = asyncio.Event()
        self.came = self.heard = now
        """When it connected, and when it last sent a message."""
        self.inbox: deque[tuple[bytes, bool]] = deque()
        self.attending = False
        """Whether a message is just attended to that takes its time; others wait behind it."""
        rate = harbour.config.rate
        self.orders, self.chat = Bucket(rate("orders"), now), Bucket(rate("chat"), now)
        self.openings = Bucket(rate("openings"), now)
        self.changes = Bucket(rate("settings"), now)
        self.offences = 0
        self.rooms: dict[str, Room] = {}
        self.seats: dict[str, tuple[Room, Seat]] = {}
        self.refusing = False

    # Going out

    @property
    def waiting(self) -> int:
        """Bytes in the outbox."""
        return sum(map(len, self.outbox))

    @property
    def full(self) -> bool:
        """Whether more is in the outbox than may wait."""
        return len(self.outbox) > MOST_WAITING or self.waiting > LARGEST_WAITING

    def push(self, message: bytes) -> None:
        """Have a message sent; when too much waits, the whole view comes instead."""
        if self.closing or (self.missed_lines and self.note_line(message)):
            return
        if self.stale:
            self.note_line(message)
            return
        outbox = self.outbox
        outbox.append(head(len(message)) + message)
        if len(outbox) == 1:
            self.outgoing.add(self)
        elif len(outbox) > FEW:
            self.relieve()

    def answer_with(self, message: bytes) -> None:
        """Have a message sent, whatever else must go."""
        if self.closing:
            return
        self.outbox.append(KeptFrame(head(len(message)) + message))
        if len(self.outbox) == 1:
            self.outgoing.add(self)
        elif len(self.outbox) > FEW:
            self.relieve()

    def hint(self, message: bytes) -> None:
        """Have a message sent if there is room for it."""
        if self.waiting < LARGEST_WAITING // 4:
            self.push(message)

    def reply(self, message: wire.News) -> None:
        """Have an answer sent, whatever else must go."""
        self.answer_with(encode(message))

    def relieve(self) -> None:
        """If more waits than may, send it or, if the client does not read, throw it away."""
        if self.full:
            self.flush()
        if self.full:
            self.throw_away()

    def flush(self) -> None:
        """Send what waits, if the client reads as fast as it is written to."""
        outbox, transport = self.outbox, self.transport
        if not outbox or self.writing is not None or transport.is_closing():
            return
        if transport.get_write_buffer_size() >= SMALL_BACKLOG:
            self.writing = asyncio.create_task(self.write())
            self.harbour.keep(self.writing)
            return
        self.outbox = []
        transport.write(b"".join(outbox) if len(outbox) > 1 else outbox[0])

    async def write(self) -> None:
        """Send what waits as fast as the client reads."""
        while (self.outbox or self.stale) and not self.transport.is_closing():
            self.sending = time.monotonic()
            await self.socket.room.wait()
            if self.stale:
                self.catch_up()
            elif not self.transport.is_closing():
                self.transport.write(self.outbox.pop(0))
        self.sending = self.writing = None

    def throw_away(self) -> None:
        """Keep answers only; who does not even read those is not worth waiting for."""
        for message in self.outbox:
            self.note_line(message)
        self.outbox = [message for message in self.outbox if isinstance(message, KeptFrame)]
        if len(self.outbox) > MOST_WAITING // 2:
            self.abort()
            return
        self.stale = True
        self.harbour.metrics.resyncs += 1

    def note_line(self, message: bytes) -> bool:
        """Note a line of chat that is not sent; false if the message is none.

        From the first on that a client misses, lines come from the log again, in their order.
        """
        start = message.find(CHAT_LINE, 0, len(CHAT_LINE) + LONGEST_HEAD)
        if start < 0:
            return False
        line = msgspec.json.decode(message[start:], type=NumberedLine)
        known = self.missed_lines.get(line.table, line.number - 1)
        self.missed_lines[line.table] = min(known, line.number - 1)
        return True

    def catch_up(self) -> None:
        """Whole views instead of what was thrown away, and the lines of chat that were."""
        self.stale = False
        for room in self.rooms.values():
            for message in room.resync(self):
                self.push(message)
            if room.table.code in self.missed_lines:
                self.harbour.keep(asyncio.create_task(room.resend_chat(self, self.missed_lines)))

    def check(self, now: float) -> None:
        """Close the connection if it is stuck or silent."""
        if self.sending is not None and now - self.sending > SEND_SECONDS:
            self.harbour.metrics.too_slow += 1
            self.abort()
        elif now - self.heard > SILENT_SECONDS if self.who else now - self.came > HELLO_SECONDS:
            self.dismiss(encode(wire.Goodbye(why="silent", retry_seconds=0.5)))

    def dismiss(self, farewell: bytes) -> None:
        """Close the connection in good order, with a last word."""
        if not self.closing:
            self.answer_with(farewell)
            self.closing = True
            self.socket.end()

    def abort(self) -> None:
        """Close the connection at once."""
        self.closing = True
        self.outbox = []
        cut_off(self.transport)

    def expel(self, room: Room, why: Literal["removed", "closed", "gone"]) -> None:
        """Have a table open no more, by somebody else's wish."""
        self.rooms.pop(room.table.code, None)
        self.seats = {game: pair for game, pair in self.seats.items() if pair[0] is not room}
        room.leave(self)
        self.push(encode(wire.TableClosed(table=room.table.code, why=why)))

    def refuse_orders(self) -> None:
        """The server goes down: orders under way are finished, new ones refused."""
        self.refusing = True

    # Coming in

    async def serve(self) -> None:
        """Live until the client goes."""
        self.socket.take = self.receive
        try:
            await self.socket.ended.wait()
        finally:
            self.closing = True
            self.harbour.discharge(self)
            try:
                await self.part()
            finally:
                self.closed.set()

    async def part(self) -> None:
        """Send what is left, say that this was all, and wait a little until the client has it."""
        try:
            await at_most(PARTING_SECONDS, self.send_rest())
            self.transport.close()
            await at_most(PARTING_SECONDS, self.socket.gone.wait())
        finally:
            cut_off(self.transport)

    async def send_rest(self) -> None:
        self.flush()
        if self.writing is not None:
            await self.writing
        self.socket.close()
        await self.socket.left.wait()

    def receive(self, message: bytes, text: bool) -> None:
        """One message; it waits while an earlier one takes its time."""
        if self.closing:
            return
        self.heard = time.monotonic()
        if self.attending:
            self.inbox.append((message, text))
            if len(self.inbox) == MOST_UNREAD:
                self.socket.pause()
            return
        request = self.understood(message, text)
        if request is None:
            return
        if isinstance(request, AT_ONCE):
            self.answer_at_once(request)
            return
        self.attending = True
        self.harbour.keep(asyncio.create_task(self.attend(request)))

    async def attend(self, request: wire.AnyRequest | None) -> None:
        """Do what is asked, and then what was asked meanwhile."""
        while not self.closing:
            if request is not None:
                await self.attempt(request)
            if not self.inbox:
                break
            if len(self.inbox) == MOST_UNREAD:
                self.socket.resume()
            request = self.understood(*self.inbox.popleft())
        self.attending = False

    def understood(self, message: bytes, text: bool) -> wire.AnyRequest | None:
        """What is asked; if it is not understood, the client is told what is wrong with it."""
        self.harbour.metrics.messages += 1
        if not text:
            self.offend(None, "bad-message")
            return None
        if not self.orders.take(self.heard):
            self.harbour.metrics.limited += 1
            self.offend(id_within(message), "too-many-messages")
            return None
        try:
            request = REQUESTS.decode(message)
        except msgspec.ValidationError as bad:
            where = str(bad).partition(" - at ")[2].strip("`")
            self.offend(id_within(message), "bad-message", where=where[:100])
            return None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            self.offend(None, "bad-message")
            return None
        if len(message) > LONGEST_MESSAGE and not may_be_long(request):
            self.offend(request.id, "too-long", most=LONGEST_MESSAGE)
            return None
        return request

    def answer_at_once(self, request: wire.GiveOrder | wire.Ping) -> None:
        """What is asked all the time needs no task of its own."""
        try:
            if isinstance(request, wire.Ping):
                self.reply(wire.Pong(number=request.number, now=now_ms()))
            else:
                self.order(request)
        except Trouble as trouble:
            self.problem(request.id, trouble.error, trouble.arguments)
        # A fault of our own must not end the games of others.
        except Exception:  # noqa: BLE001
            self.fault(request)

    def fault(self, request: wire.AnyRequest) -> None:
        self.harbour.metrics.faults += 1
        NOTES.exception("a message was not handled", extra={"kind": type(request).__name__})
        self.problem(request.id, "internal", {})

    async def attempt(self, request: wire.AnyRequest) -> None:
        """Do what is asked, and say if it can't be done."""
        try:
            await self.handle(request)
        except Trouble as trouble:
            self.problem(request.id, trouble.error, trouble.arguments)
        except Unplayable as unplayable:
            self.unplayable(request, unplayable.obstacle)
        except LogAway:
            self.problem(request.id, "not-saved", {})
        # A fault of our own must not end the games of others.
        except Exception:  # noqa: BLE001
            self.fault(request)

    def offend(self, about: str | None, error: wire.ErrorKey, **arguments: str | int) -> None:
        """A message that is none, or one too many."""
        self.harbour.metrics.bad_messages += 1
        self.offences += 1
        fatal = self.offences > MOST_OFFENCES
        problem = Problem(id=about, error=error, arguments=arguments, fatal=fatal)
        if fatal:
            self.dismiss(encode(problem))
        else:
            self.reply(problem)

    def problem(self, about: str | None, error: wire.ErrorKey, arguments: wire.Arguments) -> None:
        fatal = error in ("bad-token", "bad-protocol", "banned")
        problem = Problem(id=about, error=error, arguments=arguments, fatal=fatal)
        if fatal:
            self.dismiss(encode(problem))
        else:
            self.reply(problem)

    def unplayable(self, request: wire.AnyRequest, obstacle: wire.Obstacle) -> None:
        """A game that can't begin: an error's key, or a rule."""
        about = request.id or "-"
        if "." in obstacle.key:
            self.reply(Refused(id=about, rule=obstacle.key, arguments=obstacle.arguments))
        else:
            self.problem(request.id, obstacle.key, obstacle.arguments)  # type: ignore[arg-type]

    async def handle(self, request: wire.AnyRequest) -> None:
        """Do what is asked; nothing but a greeting before the greeting."""
        if isinstance(request, AT_ONCE):
            self.answer_at_once(request)
            return
        if not self.who and not isinstance(request, wire.Hello):
            raise Trouble("bad-token")
        if self.scope is not None:
            check_scope(self.scope, request)
        await HANDLERS[type(request)](self, request)
        if request.id is not None and not isinstance(request, ANSWERED_OTHERWISE):
            self.reply(Done(id=request.id))

    # What can be asked

    async def hello(self, request: wire.Hello) -> None:
        if request.protocol != wire.PROTOCOL:
            raise Trouble("bad-protocol", known=wire.PROTOCOL)
        if self.who:
            raise Trouble("bad-message")
        try:
            known, tables = await self.recognised(request.token)
        except LogAway:
            # Nobody can be recognised: maybe another process has a way to the log.
            self.dismiss(encode(wire.Goodbye(why="going-down")))
            return
        player, scope = known.player, scope_of(known)
        if scope is not None and scope.play is None:
            self.dismiss(encode(Problem(id=request.id, error="not-in-scope", fatal=True)))
            return
        self.harbour.moderation.check_player(player.who)
        if self.harbour.moderation.drain.turns_away(tables):
            self.dismiss(encode(wire.Goodbye(why="going-down")))
            return
        if not self.harbour.arrivals.take(player.who, time.monotonic()):
            raise Trouble("too-many-connections")
        self.who, self.name, self.token, self.scope = player.who, player.name, known.id, scope
        self.share_rates()
        self.harbour.retainer.came.add(player.who)
        self.harbour.sessions.use(known)
        self.reply(
            Welcome(
                protocol=wire.PROTOCOL,
                fathom=__version__,
                you=player.who,
                name=player.name,
                tables=tuple(code for code in tables if scope is None or code == scope.play)[:20],
                now=now_ms(),
            )
        )
        self.harbour.moderation.greet(self)

    def share_rates(self) -> None:
        """From now on all connections of the player have one allowance together."""
        rates, now = self.harbour.player_rates, time.monotonic()
        self.orders, self.chat = (rates[of].bucket(self.who, now) for of in ("orders", "chat"))
        self.openings = rates["openings"].bucket(self.who, now)
        self.changes = rates["settings"].bucket(self.who, now)

    async def recognised(self, token: str) -> tuple[StoredToken, list[str]]:
        """Whose token this is, and the codes of the player's tables.

        A token that is ended meanwhile would not close this connection, which is not known by it
        yet: so if any was, look again.
        """
        log, sessions = self.harbour.log, self.harbour.sessions
        while True:
            ended = sessions.ended
            known = await recognise(log, token)
            tables = await log.codes_of(known.player.who, ("gathering", "playing"), MOST_WELCOME)
            if ended == sessions.ended:
                return known, tables

    async def follow_lobby(self, request: wire.FollowLobby) -> None:
        if not request.on:
            self.harbour.followers.pop(self, None)
            return
        self.harbour.followers[self] = None
        self.push(encode(await self.harbour.lobby_cache.get()))

    async def open_table(self, request: wire.OpenTable) -> None:
        if not self.openings.take(time.monotonic()):
            self.harbour.metrics.limited += 1
            raise Trouble("too-many-messages")
        if request.table not in self.rooms and len(self.rooms) >= MOST_OPEN:
            raise Trouble("too-many-tables")
        visitor = Visitor(self.address, self.who, request.key or "")
        room = await self.harbour.room_for(visitor, request.table)
        if self.closing:
            return
        self.rooms[request.table] = room
        try:
            await room.enter(self, request)
        except Trouble:
            self.rooms.pop(request.table, None)
            raise

    async def close_table(self, request: wire.CloseTable) -> None:
        room = self.rooms.pop(request.table, None)
        if room is not None:
            room.leave(self)
            self.seats = {game: pair for game, pair in self.seats.items() if pair[0] is not room}
            self.reply(wire.TableClosed(table=request.table, why="asked"))

    def room(self, request: wire.AboutTable) -> Room:
        """The table, if it is open on this connection."""
        room = self.rooms.get(request.table)
        if room is None:
            raise Trouble("not-open")
        return room

    async def sit(self, request: wire.Sit) -> None:
        person = Person(self.who, self.name)
        await self.room(request).change(
            lambda table: at.sit(table, person, request.crew, request.posts)
        )

    async def stand(self, request: wire.Stand) -> None:
        await self.room(request).change(lambda table: at.stand(table, self.who, request.posts))

    async def swap(self, request: wire.Swap) -> None:
        await self.room(request).change(
            lambda table: at.swap(table, self.who, request.crew, request.post)
        )

    async def place_bot(self, request: wire.PlaceBot) -> None:
        await self.as_host(
            request, lambda table: at.place_bot(table, request.crew, request.posts, request.rank)
        )

    async def clear_post(self, request: wire.ClearPost) -> None:
        await self.as_host(request, lambda table: at.clear_post(table, request.crew, request.post))

    async def settings(self, request: wire.ChangeSettings) -> None:
        if not self.changes.take(time.monotonic()):
            self.harbour.metrics.limited += 1
            raise Trouble("too-many-messages")
        settings = self.harbour.allowed(request.settings)
        await self.as_host(request, lambda table: at.change_settings(table, settings))

    async def as_host(
        self, request: wire.AboutTable, change: Callable[[at.Table], at.Table]
    ) -> None:
        """Change the table, as its host."""

        def checked(table: at.Table) -> at.Table:
            at.check_host(table, self.who)
            return change(table)

        await self.room(request).change(checked)

    async def name_boat(self, request: wire.NameBoat) -> None:
        boat = checked_name(request.boat)

        def named(table: at.Table) -> at.Table:
            if at.crew_of(table, self.who) is not request.crew:
                at.check_host(table, self.who)
            if request.shy_mate and not at.find_book(table.settings).shy_mate:
                raise Unplayable(wire.Obstacle("crew.shy-mate"))
            return at.name_boat(table, request.crew, boat, shy_mate=request.shy_mate)

        await self.room(request).change(named)

    async def get_ready(self, request: wire.GetReady) -> None:
        await self.room(request).change(
            lambda table: at.get_ready(table, self.who, ready=request.ready)
        )

    async def start(self, request: wire.Start) -> None:
        if self.refusing:
            raise Trouble("going-down")
        self.harbour.moderation.drain.check()
        room = self.room(request)
        at.check_host(room.table, self.who)
        self.harbour.take(self.harbour.new_games, self.who)
        await room.start(fill=request.fill)

    async def rematch(self, request: wire.Rematch) -> None:
        room = self.room(request)
        if not request.at_once:
            await room.rematch(self.who)
        elif self.refusing:
            raise Trouble("going-down")
        else:
            self.harbour.moderation.drain.check()
            self.harbour.take(self.harbour.new_games, self.who)
            await room.play_again(self.who, request.rank)

    async def let_bot_play(self, request: wire.LetBotPlay) -> None:
        room = self.room(request)
        if not self.harbour.player_rates["stand_ins"].take(self.who, time.monotonic()):
            self.harbour.metrics.limited += 1
            raise Trouble("too-many-messages")
        await room.let_bot_play(self.who, on=request.on)

    async def say_words(self, request: wire.SayWords) -> None:
        self.check_chat()
        await self.room(request).chat(self, request.channel, request.text)

    async def say_phrase(self, request: wire.SayPhrase) -> None:
        self.check_chat()
        await self.room(request).phrase(self, request.phrase)

    def check_chat(self) -> None:
        if not self.chat.take(time.monotonic()):
            self.harbour.metrics.limited += 1
            raise Trouble("too-much-chat")

    async def advise(self, request: wire.Advise) -> None:
        """Have advice found; the answer comes when it is there, and holds up nothing."""
        if not self.harbour.advice.take(self.who, time.monotonic()):
            self.harbour.metrics.limited += 1
            raise Trouble("too-many-messages")
        room, seat = self.seat_in(request.game)
        room.advise(seat, partial(self.advised, request))

    def advised(self, request: wire.Advise, found: AnyOrder | wire.Obstacle) -> None:
        """Say what advice there is."""
        if isinstance(found, wire.Obstacle):
            self.unplayable(request, found)
        else:
            self.reply(Done(id=request.id, game=request.game, advice=found))

    # Orders

    def order(self, request: wire.GiveOrder) -> None:
        """Hand an order on to its game; the answer comes when it is saved."""
        if not self.who:
            raise Trouble("bad-token")
        if self.refusing:
            raise Trouble("going-down")
        room, seat = self.seat_in(request.game)
        duel = room.duel
        if duel is None or duel.id != request.game:
            raise Trouble("no-game")
        answer = partial(self.answer, request.id, request.game, self.heard)
        duel.post(Letter(seat, request.order, f"{self.who}/{request.id}", answer))

    def seat_in(self, game: str) -> tuple[Room, Seat]:
        """The seat that this player has in a game that is open on this connection."""
        found = self.seats.get(game)
        # After a rematch the seat of the game before is the enemy's.
        if found is not None and found[0].duel is not None and found[0].duel.id == game:
            return found
        for room in self.rooms.values():
            if room.duel is not None and room.duel.id == game:
                seat = room.seat(self.who)
                if seat is None:
                    raise Trouble("not-your-seat")
                self.seats = {game: (room, seat), **dict(list(self.seats.items())[:MOST_OPEN])}
                return room, seat
        raise Trouble("not-open")

    def answer(self, about: str, game: str, arrived: float, outcome: Outcome) -> None:
        """Say what became of an order."""
        metrics = self.harbour.metrics
        if outcome.lost:
            self.reply(Problem(id=about, error="not-saved"))
        elif outcome.failed:
            self.problem(about, "internal", {})
        elif outcome.full:
            self.problem(about, "game-too-long", {})
        elif outcome.rule:
            self.reply(Refused(id=about, game=game, rule=outcome.rule))
        else:
            metrics.repeats += outcome.again
            metrics.took(time.monotonic() - arrived)
            self.reply(Done(id=about, game=game, position=outcome.position, again=outcome.again))
        self.harbour.outgoing.flush_crowd()


async def at_most(seconds: float, work: Coroutine[Any, Any, object]) -> None:
    """Wait for something, but not for long, also in a task that is being cancelled.

    ``asyncio.timeout`` raises CancelledError there.
    """
    task = asyncio.create_task(work)
    try:
        await asyncio.wait([task], timeout=seconds)
    finally:
        if not task.done():
            task.cancel()


HANDLERS: Final[dict[type, Callable[[Connection, Any], Awaitable[None]]]] = {
    wire.Hello: Connection.hello,
    wire.FollowLobby: Connection.follow_lobby,
    wire.OpenTable: Connection.open_table,
    wire.CloseTable: Connection.close_table,
    wire.Sit: Connection.sit,
    wire.Stand: Connection.stand,
    wire.Swap: Connection.swap,
    wire.PlaceBot: Connection.place_bot,
    wire.ClearPost: Connection.clear_post,
    wire.ChangeSettings: Connection.settings,
    wire.NameBoat: Connection.name_boat,
    wire.GetReady: Connection.get_ready,
    wire.Start: Connection.start,
    wire.Rematch: Connection.rematch,
    wire.LetBotPlay: Connection.let_bot_play,
    wire.Advise: Connection.advise,
    wire.SayWords: Connection.say_words,
    wire.SayPhrase: Connection.say_phrase,
    **host.HANDLERS,
    wire.Report: report,
}


PLAYING: Final = (
    wire.OpenTable,
    wire.CloseTable,
    wire.Sit,
    wire.Stand,
    wire.Swap,
    wire.GetReady,
    wire.Rematch,
    wire.LetBotPlay,
    wire.SayWords,
    wire.SayPhrase,
)
"""What a program may ask for at the table where it plays: nothing that is the host's."""


def check_scope(scope: wire.Scope, request: wire.AnyRequest) -> None:
    """A program may ask for this; orders and advice are for tables that it could open."""
    if isinstance(request, wire.Hello | wire.GiveOrder | wire.Advise):
        return
    begins = isinstance(request, wire.Rematch) and request.at_once
    if begins or not isinstance(request, PLAYING) or request.table != scope.play:
        raise Trouble("not-in-scope")


class Named(msgspec.Struct):
    """Any message, as far as its id goes."""

    id: str | None = None


def id_within(message: bytes) -> str | None:
    """The id of a message that is otherwise not understood."""
    try:
        found = msgspec.json.decode(message, type=Named).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if found and len(found) <= 40 and found.isprintable() else None


def may_be_long(request: wire.AnyRequest) -> bool:
    """Whether such a message may be longer than others: a traced stroke, a chart of one's own."""
    if isinstance(request, wire.GiveOrder):
        return isinstance(request.order, TraceSection)
    return isinstance(request, wire.ChangeSettings)
