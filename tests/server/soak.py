"""The long forms of the tests: ``python -m tests.server.soak --help``."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from tests.server.crashes import crash_story
from tests.server.faults import fault_story, standby_story
from tests.server.postgres import following, running
from tests.server.test_frames import fuzz as random_frames
from tests.server.test_fuzz import hostile_story


async def frames(_: Path) -> None:
    """1,000,000 random frames in random pieces, against the obvious way to read them."""
    connections = await random_frames(1_000_000, seed=7)
    say(f"frames: 1,000,000 on {connections} connections; all read as the obvious way reads them")


async def fuzz(folder: Path) -> None:
    """200,000 malformed, reordered, duplicated and hostile messages."""
    await hostile_story(folder, 200_000)
    say("fuzz: 200,000 hostile messages; no fault, nothing changed, nothing told")


async def crash(folder: Path) -> None:
    """100 games under load; the server is killed hard 20 times."""
    found = await crash_story(folder, games=100, kills=20, orders=1000)
    say(f"crash: 20 kills; nothing lost, nothing twice: {found}")


async def faults(folder: Path, rounds: int) -> None:
    """60 games at three servers: kills, stops of 20 seconds, lost notifications, no database."""
    with running() as postgres:
        found = await fault_story(
            folder, postgres, games=60, rounds=rounds, stopped=20.0, rest=0.5, say=say
        )
    say(f"faults: {rounds} rounds; nothing lost, nothing twice, every game went on: {found}")


async def standby(folder: Path) -> None:
    """30 games; the primary dies and its synchronous standby is promoted, three times."""
    for number in range(3):
        with running() as primary, following(primary) as other:
            place = folder / str(number)
            found = await standby_story(place, primary, other, games=30, rest=0.5)
        say(f"standby: promoted; nothing lost, nothing twice, every game went on: {found}")


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


STORIES = ("frames", "fuzz", "crash", "faults", "standby")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.server.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of faults (5)")
    parser.add_argument(
        "stories", nargs="*", metavar="STORY", help=f"of {', '.join(STORIES)} (all)"
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.stories) - set(STORIES):
        parser.error(f"no such story: {', '.join(sorted(unknown))}; there are {', '.join(STORIES)}")
    play: dict[str, Callable[[Path], Coroutine[Any, Any, None]]] = {
        "frames": frames,
        "fuzz": fuzz,
        "crash": crash,
        "faults": partial(faults, rounds=arguments.rounds),
        "standby": standby,
    }
    for name in arguments.stories or STORIES:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(play[name](Path(folder) / name))
        say(f"{name}: {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
