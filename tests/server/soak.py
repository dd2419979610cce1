"""The long forms of the tests: ``python -m tests.server.soak [fuzz|crash|faults|standby]``."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.server.crashes import crash_story
from tests.server.faults import fault_story, standby_story
from tests.server.postgres import following, running
from tests.server.test_fuzz import hostile_story


async def fuzz(folder: Path) -> None:
    """200,000 malformed, reordered, duplicated and hostile messages."""
    await hostile_story(folder, 200_000)
    say("fuzz: 200,000 hostile messages; no fault, nothing changed, nothing told")


async def crash(folder: Path) -> None:
    """100 games under load; the server is killed hard 20 times."""
    found = await crash_story(folder, games=100, kills=20, orders=1000)
    say(f"crash: 20 kills; nothing lost, nothing twice: {found}")


async def faults(folder: Path) -> None:
    """60 games at three servers: kills, stops of 20 seconds, cut bells, the database gone."""
    with running() as postgres:
        found = await fault_story(
            folder, postgres, games=60, rounds=5, stopped=20.0, rest=0.5, say=say
        )
    say(f"faults: 5 rounds; nothing lost, nothing twice, every game went on: {found}")


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


def main() -> None:
    """All of them, or those that are named."""
    stories = {"fuzz": fuzz, "crash": crash, "faults": faults, "standby": standby}
    for name in sys.argv[1:] or stories:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(stories[name](Path(folder)))
        say(f"{name}: {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
