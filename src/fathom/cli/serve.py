"""``fathom`` and ``fathom serve``: tables on the network; on PostgreSQL, one of many processes."""

import asyncio
import errno
import socket
import sys
import webbrowser
from argparse import Namespace
from ssl import SSLContext
from typing import Final

from aiohttp import web
from msgspec import Struct

from fathom.cli.terminal import OK, Failure
from fathom.server.addresses import EVERYWHERE, is_host, is_loopback, own_address
from fathom.server.api import HARBOUR
from fathom.server.app import listen, make_app, make_runner
from fathom.server.client_files import client_files
from fathom.server.config import BadConfig, Config, read_config
from fathom.server.data_folder import FolderInUse
from fathom.server.log import LogUnusable
from fathom.server.notes import take_notes
from fathom.server.operating_system import (
    call_at_end,
    has_screen,
    loop_factory,
    open_standard_streams,
)
from fathom.server.sqlite_log import SqliteLog
from fathom.server.systemd import keep_alive, notify

NO_CLIENT: Final = "the browser's client is not built; in a checkout, `make play` builds it"
WARNING: Final = """\
This machine has signed its certificate itself, so every browser warns once: choose Advanced (on an
iPhone: Show Details), then continue. From then on the game can copy links and keep screens on."""
REASONS: Final = {
    errno.EADDRINUSE: "another program has it; choose another with --port",
    errno.EACCES: "this user may not have it; choose one above 1023 with --port",
    errno.EADDRNOTAVAIL: "this machine has no such address; --host 0.0.0.0 is every one it has",
}


class Manner(Struct, frozen=True):
    """How the command was given, beside the settings."""

    browse: bool = False
    """Whether the game is opened in the browser."""
    any_port: bool = False
    """Whether a port that is taken is no reason to stop."""


def start() -> int:
    """``fathom`` alone: the game in the browser, and friends on the network may come."""
    if "index.html" not in client_files():
        raise Failure(NO_CLIENT)
    usual = {"host": "0.0.0.0", "announce": True}  # noqa: S104 (friends are to come)
    config = configured(usual=usual)
    return serve_until_ended(config, Manner(browse=True, any_port=config.port == Config().port))


def run(options: Namespace) -> int:
    """``fathom serve``: until somebody ends it."""
    config = configured(
        options.config,
        host=options.host,
        port=options.port,
        data=options.data,
        log=options.log,
        tls=options.tls or None,
        announce=options.announce or None,
        public=options.public,
        json_logs=options.json_logs or None,
    )
    return serve_until_ended(config, Manner(browse=options.open))


def configured(
    file: str | None = None, usual: dict[str, object] | None = None, **flags: object
) -> Config:
    try:
        return read_config(file, usual, **flags)
    except BadConfig as bad:
        raise Failure(str(bad)) from None


def serve_until_ended(config: Config, manner: Manner) -> int:
    open_standard_streams()
    take_notes(json_lines=config.json_logs)
    with asyncio.Runner(loop_factory=loop_factory(config.event_loop)) as runner:
        return runner.run(serve(config, manner))


async def serve(config: Config, manner: Manner) -> int:
    """Open the harbour, say where it is, and wait for the end."""
    tls = certificate(config) if config.tls else None
    try:
        app = make_app(config)
    except ValueError as bad:
        raise Failure(str(bad)) from None
    harbour = app[HARBOUR]
    call_at_end(harbour.must_end.set)
    runner = make_runner(app)
    try:
        await runner.setup()
    except FolderInUse as taken:
        if not manner.browse or not taken.url:
            raise Failure(str(taken)) from None
        print(f"Fathom is already running at {taken.url}", flush=True)
        await open_browser(taken.url)
        return OK
    except LogUnusable as unusable:
        raise Failure(str(unusable)) from None
    await listen_somewhere(runner, config, manner, tls)
    port = runner.addresses[0][1]
    for line in greeting(config, port):
        print(line, flush=True)
    if isinstance(harbour.log, SqliteLog) and harbour.log.lock is not None:
        harbour.log.lock.tell(here(config, port))
    if manner.browse:
        await open_browser(here(config, port))
    notify("READY=1")
    tasks = [asyncio.create_task(task) for task in (keep_alive(), be_found(config, port))]
    await harbour.must_end.wait()
    for task in tasks:
        task.cancel()
    notify("STOPPING=1")
    if harbour.unusable is None:
        print("Fathom goes down; games go on when it is there again.", file=sys.stderr, flush=True)
    await asyncio.gather(*tasks, return_exceptions=True)
    await runner.cleanup()
    if harbour.unusable is not None:
        raise Failure(str(harbour.unusable))
    return OK


async def listen_somewhere(
    runner: web.AppRunner, config: Config, manner: Manner, tls: SSLContext | None
) -> None:
    """Listen on the port, or on any other where that will do; else end with a sentence."""
    try:
        await listen(runner, config.host, config.port, tls)
    except (OSError, UnicodeError) as bad:
        if getattr(bad, "errno", None) == errno.EADDRINUSE and manner.any_port:
            print(f"Port {config.port} is taken, so Fathom takes another.", flush=True)
            await listen(runner, config.host, 0, tls)
            return
        await runner.cleanup()
        raise Failure(refused(config, bad)) from None


def refused(config: Config, bad: OSError | UnicodeError) -> str:
    """Why nobody can be served there, in a sentence."""
    if isinstance(bad, (socket.gaierror, UnicodeError)):
        return f"there is no host {config.host}; --host 0.0.0.0 is every address of this machine"
    reason = REASONS.get(bad.errno or 0, bad.strerror)
    return f"port {config.port} of {config.host} can't be used: {reason}"


def certificate(config: Config) -> SSLContext:
    """This machine's own certificate, for all names and addresses by which it is reached."""
    # Only those who want it wait until it is loaded.
    from fathom.server.certificate import CertificateUnusable, tls_context

    try:
        return tls_context(config.folder, own_names(socket.gethostname()))
    except CertificateUnusable as unusable:
        raise Failure(str(unusable)) from None


def own_names(machine: str) -> list[str]:
    """All names and addresses under which this machine may be reached."""
    short = machine.partition(".")[0].lower()
    # A machine may be called anything; what no browser could ask for is no name.
    called = [short, f"{short}.local"] if is_host(short) else []
    found = ["localhost", "fathom.local", *called, "127.0.0.1", "::1", own_address()]
    return [name for name in found if name]


async def be_found(config: Config, port: int) -> None:
    """Be found as ``fathom.local`` until the end, where that is wanted and there is a network."""
    address = own_address()
    if not config.announce or config.host not in EVERYWHERE or address is None:
        return
    from fathom.server.local_name import announce

    name = await announce(address, port, tls=config.tls)
    if name is None:
        return
    try:
        print(f"Or simply to {address_of(config, name.host, port)}", flush=True)
        await asyncio.Event().wait()
    finally:
        await name.close()


async def open_browser(url: str) -> None:
    """Show the game; where there is no browser, say where the game is."""
    shown = has_screen() and await asyncio.to_thread(webbrowser.open, url)
    if not shown:
        print(f"No browser could be opened here: open {url} yourself.", flush=True)


def here(config: Config, port: int) -> str:
    """The address on this machine."""
    host = "127.0.0.1" if config.host in EVERYWHERE else config.host
    return address_of(config, f"[{host}]" if ":" in host else host, port)


def address_of(config: Config, host: str, port: int) -> str:
    return f"{'https' if config.tls else 'http'}://{host}:{port}/"


def greeting(config: Config, port: int) -> list[str]:
    """Where people find the server: on this machine and, if it listens there, from others."""
    if config.public:
        return [f"Fathom is at {config.public}"]
    lines = [f"Fathom is at {here(config, port)}"]
    if config.tls:
        lines += WARNING.splitlines()
    if is_loopback(config.host):
        lines.append("Only this machine can reach it; --host 0.0.0.0 lets friends in.")
    elif config.host in EVERYWHERE and (own := own_address()):
        lines.append(f"Friends on your network come to {address_of(config, own, port)}")
    elif config.host in EVERYWHERE:
        lines.append("This machine has no network now, so only this machine can reach it.")
    return lines
