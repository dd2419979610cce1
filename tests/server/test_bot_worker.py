"""The process in which bots think: one task after another, and no interruption of a thought."""

import gc
import io
from collections.abc import Iterator

import pytest
from msgspec import Raw

from fathom.bots.ranks import Rank
from fathom.engine import orders as give
from fathom.engine.game import new_game
from fathom.engine.orders import AnyOrder
from fathom.server.bot_tasks import REPLIES, AnyTask, Ask, Enlist, Reply, Tell
from fathom.server.bot_worker import Quarters, work
from fathom.server.offers import offer_to
from fathom.server.sheets import facts
from fathom.server.wire import GameOpened, Sheets, Told, encode
from fathom.words import Crew, Post, Seat
from tests.stories import table

BOT = "game/a0"
THOUGHTS = 30


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Leave the collector of garbage as it was; meanwhile it is in a hurry."""
    limits = gc.get_threshold()
    gc.set_threshold(10, 2, 2)
    yield
    gc.set_threshold(*limits)
    gc.unfreeze()
    gc.enable()


class LoggedQuarters(Quarters):
    """Notes which task is being done."""

    now: AnyTask | None = None

    def do(self, task: AnyTask) -> Reply | None:
        """Make some rubbish on the way, as a bot that thinks hard does."""
        self.now = task
        rubbish: list[object] = []
        for _ in range(50):
            knot: list[object] = []
            knot.append(knot)
            rubbish.append(knot)
        try:
            return super().do(task)
        finally:
            self.now = None


def tasks() -> Iterator[bytes]:
    """A commander who is to mark the start, asked many times."""
    setup = table()
    game, seat = new_game(setup), Seat(Crew.A, 0)
    opened = GameOpened(
        game="abcdefgh",
        table="K7QMX",
        seat=seat,
        posts=tuple(Post),
        setup=setup,
        facts=facts(game.ground),
    )
    told = Told(game="abcdefgh", position=0, whole=True, view=Sheets(), offer=offer_to(game, seat))
    yield encode(Enlist(bot=BOT, rank=Rank.COMMANDER, seed="1"))
    for message in (opened, told):
        yield encode(Tell(bot=BOT, message=Raw(encode(message))))
    for number in range(THOUGHTS):
        yield encode(Ask(bot=BOT, number=number))


def test_rubbish_is_cleared_away_between_thoughts_and_never_during_one() -> None:
    quarters, replies = LoggedQuarters(), io.BytesIO()
    during: list[AnyTask | None] = []

    def collecting(phase: str, _: object) -> None:
        if phase == "start":
            during.append(quarters.now)

    gc.callbacks.append(collecting)
    try:
        work(quarters, list(tasks()), replies)
    finally:
        gc.callbacks.remove(collecting)
    answers = [REPLIES.decode(line) for line in replies.getvalue().splitlines()]
    assert [answer.number for answer in answers] == list(range(THOUGHTS))
    assert all(is_place(answer.order) for answer in answers)
    assert during == [None] * len(during)
    assert len(during) >= THOUGHTS // 2


def is_place(order: AnyOrder | None) -> bool:
    return isinstance(order, give.Place | give.Dive)
