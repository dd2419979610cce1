"""Connections before they are websockets: how many there may be, and how long they may take.

A connection costs a descriptor and memory from the moment it is accepted, long before it asks for
anything. So each one has a deadline: for its first request, for the next one, for taking its
answer. When an address has too many, or all together are too many, the one that has been asking for
nothing for longest makes room.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, cast

from aiohttp import web

from fathom.server.addresses import limit_name
from fathom.server.limits import LONGEST_DRAWING
from fathom.server.metrics import Metrics
from fathom.server.operating_system import cut_off

REQUEST_SECONDS: Final = 10.0
"""From connecting, or from the first byte of the next request, to the end of its headers."""
IDLE_SECONDS: Final = 75.0
"""Between two requests: browsers and proxies keep connections, most of them for a minute."""
ANSWER_SECONDS: Final = 300.0
"""From a request's headers to the end of its answer: a phone may load the client slowly."""
SPARE: Final = 16
"""Connections beyond the most, for health checks while all others are being answered."""
LINGER_SECONDS: Final = 1.0
"""How long a client that is still sending has to read why it is refused."""
LONGEST_REQUEST: Final = LONGEST_DRAWING + 32_768
"""Bytes of one request, headers and body; no more are parsed."""
SLICE: Final = 2048
"""Bytes that are parsed in one go; a body in tiny chunks takes long. It gives the application the
time to refuse a body before much of it is parsed."""
MOST_WASTED: Final = 1 << 20
"""Bytes beyond that which are thrown away before the connection is cut."""
BACKLOG: Final = 1024
"""Connections that wait in the kernel to be accepted."""

NameOfAddress = Callable[[str], str | None]
"""The name under which an address is counted; None if it is not."""


class HttpConnection(asyncio.Protocol):
    """A connection, in front of the web server's own protocol."""

    __slots__ = (
        *("all", "asking", "busy", "deadline", "handler", "name", "received", "refused"),
        *("securing", "spare", "tls", "transport", "unread"),
    )

    def __init__(self, connections: "HttpConnections", tls: ssl.SSLContext | None = None) -> None:
        self.all, self.tls = connections, tls
        self.securing: asyncio.Task[None] | None = None
        """Waits for the end of the TLS handshake."""
        self.handler: asyncio.Protocol | None = None
        self.name: str | None = None
        self.busy = self.asking = False
        """Whether a request is being answered, and whether one has begun to come."""
        self.spare = False
        """Whether there was no room for it but that which is kept for health checks."""
        self.deadline = 0.0
        self.received = 0
        """Bytes that came since the last answer."""
        self.refused = False
        """Whether the rest of the body is not wanted: none of it is parsed."""

        self.unread = b""
        """What has come and will be parsed in the next turns of the loop."""

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected; they are left at once if there is no room."""
        self.transport = cast("asyncio.Transport", transport)
        self.deadline = time.monotonic() + REQUEST_SECONDS
        self.asking = True
        peer = transport.get_extra_info("peername") or ("",)
        self.name = self.all.names(str(peer[0]))
        if not self.all.admit(self):
            cut_off(self.transport)
            return
        self.spare = len(self.all) > self.all.most
        if self.tls is None:
            self.serve()

    async def secure(self, tls: ssl.SSLContext, first: bytes) -> None:
        """Shake hands, of which the first bytes have come; then serve.

        The loop could do that before it tells of a connection. But then those that never shake
        hands would be counted by nobody.
        """
        if self.transport.is_closing():
            # Meanwhile it had to make room.
            return
        loop = asyncio.get_running_loop()
        # This is called before anything that ``start_tls`` has the loop call, so also before more
        # is read.
        loop.call_soon(hand_on, self.transport, first)
        try:
            secured = await loop.start_tls(
                self.transport,
                self,
                tls,
                server_side=True,
                ssl_handshake_timeout=REQUEST_SECONDS,
            )
        except OSError:
            secured = None
        if secured is None or secured.is_closing():
            self.all.forget(self)
            cut_off(self.transport)
            return
        self.transport = secured
        self.serve()
        if self.unread:
            self.parse()

    def serve(self) -> None:
        """Hand the connection to the web server's own protocol."""
        self.handler = self.all.make()
        self.handler.connection_made(self.transport)

    def connection_lost(self, error: Exception | None) -> None:
        """They are gone."""
        self.all.forget(self)
        if self.handler is not None:
            self.handler.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Something came; the first byte of a request sets the deadline for the rest."""
        if self.tls is not None and self.securing is None:
            self.transport.pause_reading()
            self.securing = asyncio.get_running_loop().create_task(self.secure(self.tls, data))
            return
        if not self.asking:
            self.asking = True
            self.deadline = min(self.deadline, time.monotonic() + REQUEST_SECONDS)
        room = max(0, LONGEST_REQUEST - self.received)
        self.received += len(data)
        if self.received > LONGEST_REQUEST + MOST_WASTED:
            self.all.metrics.limited += 1
            self.transport.abort()
        elif self.unread:
            self.unread += data[:room]
        elif room:
            self.unread = data[:room]
            self.parse()

    def parse(self) -> None:
        """Hand on a slice of what has come; the others have their turn before the next one."""
        if self.refused or self.transport.is_closing():
            self.unread = b""
            return
        if self.handler is None:
            # It came right behind the handshake.
            return
        part, self.unread = self.unread[:SLICE], self.unread[SLICE:]
        self.handler.data_received(part)
        if self.unread:
            asyncio.get_running_loop().call_soon(self.parse)

    def eof_received(self) -> bool | None:
        """Nothing more will come."""
        return self.handler.eof_received() if self.handler is not None else None

    def pause_writing(self) -> None:
        """They read too slowly."""
        if self.handler is not None:
            self.handler.pause_writing()

    def resume_writing(self) -> None:
        """They have caught up."""
        if self.handler is not None:
            self.handler.resume_writing()

    # What the application calls

    def begin(self) -> None:
        """A request is answered from now on."""
        self.busy = True
        self.deadline = time.monotonic() + ANSWER_SECONDS

    def may_ask(self, path: str) -> bool:
        """Whether there is room for more than health checks."""
        self.spare = self.spare and len(self.all) > self.all.most
        return not self.spare or path.startswith("/health")

    def wait(self) -> None:
        """The rest of the request is waited for: whoever does not send it may have to make room."""
        self.busy = False

    def end(self) -> None:
        """The answer is made; it is sent as fast as they read."""
        self.busy = self.asking = False
        self.received = 0
        self.deadline = time.monotonic() + IDLE_SECONDS

    def refuse(self) -> None:
        """The rest of the body is thrown away; the connection ends with the answer."""
        self.refused = True

    def overdue(self, now: float) -> bool:
        """Whether it has taken too long; an answer under way is given time to arrive."""
        sending = not self.busy and self.transport.get_write_buffer_size() > 0
        grace = ANSWER_SECONDS - IDLE_SECONDS if sending else 0.0
        return now > self.deadline + grace


class HttpConnections:
    """All connections of a process that are no websockets."""

    def __init__(self, metrics: Metrics, names: NameOfAddress, most: int, most_of_one: int) -> None:
        self.metrics, self.names = metrics, names
        self.most, self.most_of_one = most, most_of_one
        self.make: Callable[[], asyncio.Protocol] = asyncio.Protocol
        """The web server's own protocol, for one more connection."""
        self.all: dict[HttpConnection, None] = {}
        self.by_name: dict[str, dict[HttpConnection, None]] = {}

    def __len__(self) -> int:
        return len(self.all)

    def admit(self, connection: HttpConnection) -> bool:
        """A new connection, if there is room or can be made."""
        own = self.by_name.get(connection.name, {}) if connection.name is not None else {}
        if len(own) >= self.most_of_one and not make_room(own):
            self.metrics.limited += 1
            return False
        if len(self.all) >= self.most and not self.make_room_for_all():
            self.metrics.limited += 1
            if len(self.all) >= self.most + SPARE:
                return False
        self.all[connection] = None
        if connection.name is not None:
            self.by_name.setdefault(connection.name, {})[connection] = None
        return True

    def make_room_for_all(self) -> bool:
        """Close one of the address that has most; of another one only if all of these are busy."""
        most: dict[HttpConnection, None] = max(self.by_name.values(), key=len, default={})
        return make_room(most) or make_room(self.all)

    def forget(self, connection: HttpConnection) -> None:
        """It is gone, or a websocket by now."""
        self.all.pop(connection, None)
        if connection.name is None or connection.name not in self.by_name:
            return
        own = self.by_name[connection.name]
        own.pop(connection, None)
        if not own:
            del self.by_name[connection.name]

    def check(self, now: float) -> None:
        """Close those that have taken too long."""
        for connection in [one for one in self.all if one.overdue(now)]:
            self.metrics.too_slow += 1
            cut_off(connection.transport)


def make_room(connections: Iterable[HttpConnection]) -> bool:
    """Close the oldest that asks for nothing; if there is none, the oldest that takes an answer."""
    waiting = [one for one in connections if not one.busy]
    idle = (one for one in waiting if not one.transport.get_write_buffer_size())
    oldest = next(idle, waiting[0] if waiting else None)
    if oldest is None:
        return False
    oldest.all.forget(oldest)
    cut_off(oldest.transport)
    return True


def hand_on(transport: asyncio.Transport, data: bytes) -> None:
    """Give the transport's new protocol, which is TLS, what came before it was there."""
    protocol = cast("asyncio.BufferedProtocol", transport.get_protocol())
    while data:
        buffer = memoryview(protocol.get_buffer(len(data)))
        part, data = data[: len(buffer)], data[len(buffer) :]
        buffer[: len(part)] = part
        protocol.buffer_updated(len(part))


def behind(request: web.Request) -> HttpConnection | None:
    """The connection of a request; None if it is gone."""
    protocol = request.transport.get_protocol() if request.transport is not None else None
    return protocol if isinstance(protocol, HttpConnection) else None


class Site(web.BaseSite):
    """A port on which connections are counted."""

    def __init__(
        self,
        runner: web.AppRunner,
        connections: HttpConnections,
        make: Callable[[web.Server], asyncio.Protocol],
        place: tuple[str, int],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(runner, backlog=BACKLOG, ssl_context=tls)
        self.host, self.port = place
        self.connections, self.make = connections, make

    @property
    def name(self) -> str:
        """Where it is."""
        return f"{'https' if self._ssl_context else 'http'}://{self.host}:{self.port}"

    async def start(self) -> None:
        """Listen from now on."""
        await super().start()
        self.connections.make = partial(self.make, cast("web.Server", self._runner.server))
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: HttpConnection(self.connections, self._ssl_context),
            self.host,
            self.port,
            backlog=self._backlog,
        )


def counted(trusted: Callable[[str], bool]) -> NameOfAddress:
    """Names for all addresses but those of proxies, behind which there is everybody."""
    return lambda address: None if trusted(address) else limit_name(address)
