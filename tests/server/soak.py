"""The long forms of the tests: ``python -m tests.server.soak [fuzz|crash]``."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from tests.server.crashes import crash_story
from tests.server.test_fuzz import hostile_story


async def fuzz(folder: Path) -> None:
    """200,000 malformed, reordered, duplicated and hostile messages."""
    await hostile_story(folder, 200_000)
    say("fuzz: 200,000 hostile messages; no fault, nothing changed, nothing told")


async def crash(folder: Path) -> None:
    """100 games under load; the server is killed hard 20 times."""
    found = await crash_story(folder, games=100, kills=20, orders=1000)
    say(f"crash: 20 kills; nothing lost, nothing twice: {found}")


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main() -> None:
    """All of them, or those that are named."""
    stories = {"fuzz": fuzz, "crash": crash}
    for name in sys.argv[1:] or stories:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(stories[name](Path(folder)))
        say(f"{name}: {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
