"""``fathom serve``: tables on the network; on PostgreSQL, one of any number of processes."""

import asyncio
import contextlib
import signal
import sys
import webbrowser
from argparse import Namespace

from aiohttp import web

from fathom.cli.terminal import OK, Failure
from fathom.server.addresses import EVERYWHERE, is_loopback, own_address
from fathom.server.app import make_app
from fathom.server.config import Config, from_environment
from fathom.server.log import LogAway
from fathom.server.notes import take_notes


def run(options: Namespace) -> int:
    """Serve until somebody ends it."""
    try:
        config = from_environment(
            host=options.host,
            port=options.port,
            data=options.data,
            log=options.log,
            public=options.public,
            json_logs=options.json_logs or None,
        )
    except ValueError as bad:
        raise Failure(str(bad)) from None
    take_notes(json_lines=config.json_logs)
    # uvloop is faster, but not there on every system.
    with contextlib.suppress(ImportError):
        import uvloop

        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(serve(config, browse=options.open))
    return asyncio.run(serve(config, browse=options.open))


async def serve(config: Config, *, browse: bool) -> int:
    """Open the harbour, say where it is, and wait for the end."""
    try:
        app = make_app(config)
    except ValueError as bad:
        raise Failure(str(bad)) from None
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=5.0, handle_signals=False)
    try:
        await runner.setup()
    except LogAway as away:
        raise Failure(f"the log can't be opened: {away}") from None
    site = web.TCPSite(runner, config.host, config.port)
    try:
        await site.start()
    except OSError as bad:
        await runner.cleanup()
        raise Failure(
            f"port {config.port} of {config.host} can't be used: {bad.strerror}"
        ) from None
    port = runner.addresses[0][1]
    for line in greeting(config, port):
        print(line, flush=True)
    if browse:
        await asyncio.to_thread(webbrowser.open, f"http://127.0.0.1:{port}/")
    await ended()
    print("Fathom goes down; games go on when it is there again.", file=sys.stderr, flush=True)
    await runner.cleanup()
    return OK


def greeting(config: Config, port: int) -> list[str]:
    """Where people find the server: on this machine and, if it listens there, from others."""
    if config.public:
        return [f"Fathom is at {config.public}"]
    if config.host not in EVERYWHERE:
        lines = [f"Fathom is at http://{config.host}:{port}/"]
        if is_loopback(config.host):
            lines.append("Only this machine can reach it; --host 0.0.0.0 lets friends in.")
        return lines
    lines = [f"Fathom is at http://127.0.0.1:{port}/"]
    if own := own_address():
        lines.append(f"Friends on your network come to http://{own}:{port}/")
    return lines


async def ended() -> None:
    """Wait for Ctrl-C, or for whoever runs the server to end it."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(name, end.set)
    await end.wait()
