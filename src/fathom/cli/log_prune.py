"""``fathom log prune``: delete now what a server would delete in the background."""

import asyncio
from argparse import Namespace
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from fathom.cli.terminal import OK, Failure
from fathom.server.app import open_log
from fathom.server.config import BadConfig, Config, read_config
from fathom.server.log import Log, LogAway, LogUnusable, Pruned, Retention
from fathom.server.retention import STEP, in_words, prune_all, prune_moderation
from fathom.server.sqlite_log import SqliteLog
from fathom.server.supervise import Supervisor

T = TypeVar("T")


def run(options: Namespace) -> int:
    """Delete, and say what was deleted."""
    try:
        config = read_config(options.config, data=options.data, log=options.log)
        limits = retention(config, options)
        if options.dry_run:
            old, there = asyncio.run(in_log(config, lambda log: log.count_old(limits)))
            print(f"Would delete {in_words(old)}, of {in_words(there)}. Finished games stay.")
            return OK
        pruned = asyncio.run(in_log(config, partial(prune, config, limits)))
    except (BadConfig, LogUnusable) as bad:
        raise Failure(str(bad)) from None
    except LogAway as away:
        raise Failure(f"the log can't be reached: {away}") from None
    print(f"Deleted {in_words(pruned)}. Finished games stay.")
    return OK


def retention(config: Config, options: Namespace) -> Retention:
    """As configured, but for what is given here."""
    given = {
        "chat": options.chat_days,
        "tables": options.table_days,
        "players": options.player_days,
    }
    return replace(
        config.retention, **{name: days for name, days in given.items() if days is not None}
    )


async def prune(config: Config, limits: Retention, log: Log) -> Pruned:
    """Delete everything that is old. Whoever asks for that believes the clock."""
    await log.mend_times()
    while await prune_moderation(log, config) >= STEP:
        pass
    return await prune_all(log, limits, lambda: asyncio.sleep(0))


async def in_log(config: Config, work: Callable[[Log], Awaitable[T]]) -> T:
    """Do something with the log; a server may be running meanwhile."""
    log = open_log(config, Supervisor())
    if isinstance(log, SqliteLog):
        if not log.path.exists():
            raise Failure(f"there is no {log.path}; say with --data where games are kept")
        log.shared = True
    await log.open()
    try:
        return await work(log)
    finally:
        await log.close()
