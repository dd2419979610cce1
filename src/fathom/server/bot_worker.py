"""A process in which bots think: JSON lines in, JSON lines out. ``barracks`` starts it.

Bots of many games live here. Each is given what a client of its seat is given, and answers when it
is asked; nothing here knows a game.
"""

import gc
import logging
import sys
from collections.abc import Iterable
from typing import BinaryIO, Final, TypeAlias

from fathom.bots.ranks import Rank
from fathom.bots.roster import enlist
from fathom.server.adviser import Adviser
from fathom.server.bot_tasks import TASKS, AnyTask, Ask, Dismiss, Enlist, Reply, Say, Tell
from fathom.server.crewman import Crewman
from fathom.server.notes import JSON_LOGS, take_notes
from fathom.server.plotter import Plotter
from fathom.server.wire import NEWS, GameOpened, Told, encode

NOTES: Final = logging.getLogger("fathom.bots")

Worker: TypeAlias = Crewman | Plotter | Adviser


class Quarters:
    """All bots of this process."""

    def __init__(self) -> None:
        self.bots: dict[str, Worker] = {}

    def do(self, task: AnyTask) -> Reply | None:
        """Do what is asked; a bot that fails is out of order, the others go on."""
        if isinstance(task, Enlist):
            self.bots[task.bot] = new_bot(task)
            return None
        if isinstance(task, Dismiss):
            self.bots.pop(task.bot, None)
            return None
        bot = self.bots.get(task.bot)
        try:
            return None if bot is None else attend(bot, task)
        except Exception:  # noqa: BLE001  (whatever a bot does wrong, the others must go on)
            NOTES.exception("a bot failed")
            self.bots.pop(task.bot, None)
            number = task.number if isinstance(task, Ask) else -1
            return Reply(bot=task.bot, number=number, what="fault")


def new_bot(task: Enlist) -> Worker:
    rank, seed = task.rank or Rank.CADET, int(task.seed, 16)
    if task.job == "plot":
        return Plotter()
    if task.job == "advise":
        return Adviser(seed)
    return Crewman(lambda ground, seat: enlist(rank, ground, seat, seed))


def attend(bot: Worker, task: Tell | Say | Ask) -> Reply | None:
    """One task for one bot."""
    if isinstance(task, Tell):
        message = NEWS.decode(task.message)
        if isinstance(message, GameOpened):
            bot.open(message)
        elif isinstance(message, Told):
            bot.hear(message)
        return None
    if isinstance(task, Say):
        if isinstance(bot, Crewman):
            bot.heed(task.speaker, task.phrase)
        return None
    return answer(bot, task)


def answer(bot: Worker, task: Ask) -> Reply:
    if isinstance(bot, Adviser):
        return Reply(bot=task.bot, number=task.number, order=bot.advise(), position=bot.position)
    if isinstance(bot, Plotter):
        them, us = bot.plot()
        return Reply(
            bot=task.bot,
            number=task.number,
            what="plot",
            them=them,
            us=us,
            position=bot.position,
        )
    order = bot.choose()
    return Reply(
        bot=task.bot,
        number=task.number,
        order=order,
        phrases=tuple(bot.speak()),
        position=bot.position,
    )


def work(quarters: Quarters, tasks: Iterable[bytes], replies: BinaryIO) -> None:
    """Do one task after another; rubbish is cleared away between them, never during one."""
    gc.disable()
    gc.freeze()
    for line in tasks:
        reply = quarters.do(TASKS.decode(line))
        if reply is not None:
            replies.write(encode(reply) + b"\n")
            replies.flush()
            tidy_up()


def tidy_up() -> None:
    """Collect what the interpreter would have collected by itself, now that nobody waits."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [age for age, (count, limit) in enumerate(counts) if count > limit]
    if due:
        gc.collect(due[-1])


def main() -> None:
    """Work until the server closes the pipe."""
    take_notes(json_lines=JSON_LOGS in sys.argv)
    work(Quarters(), sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
