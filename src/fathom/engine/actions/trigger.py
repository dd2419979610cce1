"""Setting off one of the crew's own mines (mine.trigger)."""

from collections.abc import Iterable

from msgspec.structs import replace

from fathom.engine.action import ANY_STAGE, EVERYONE, WAITING, Action, EventRules, Key, Listed, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.blasts import Explosion, explode
from fathom.engine.choices import by_point
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Public
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import stop_play
from fathom.engine.who_may_act import held_up_by, outside_play
from fathom.points import Point, Points
from fathom.words import MINE, Crew


class TriggerMine(Order, frozen=True, tag="trigger"):
    """Set off one of the crew's own mines (mine.trigger)."""

    at: Point


class MineTriggered(Event, frozen=True, tag="mine-triggered"):
    """A captain set off one of their mines."""

    crew: Crew
    at: Point


def triggering(now: SeatNow) -> str:
    """Not while surfaced or held up; in the enemy's turn only after an announcement."""
    public, book = now.public, now.ground.book
    if public.phase != "playing" or public.stop is not None or public.awaited is not None:
        return outside_play(now) or held_up_by(now)
    turn, afloat = public.turn, public.surfaced
    if (afloat.a or afloat.b) and afloat[now.crew] and not book.trigger_while_surfaced:
        return "surface.idle" if now.ground.real_time else "surface.turns"
    if turn is not None and turn.crew is not now.crew and not turn.announced:
        return "mine.trigger"
    if not book.trigger_needs_circuits:
        return ""
    return "mine.circuits" if now.boat.engine.crossed & now.ground.weapon_symbols else ""


def stages(setup: CompiledSetup) -> int:
    """In real time, who may not act is held up or afloat."""
    waits = not setup.real_time or setup.book.trigger_while_surfaced
    return ANY_STAGE if waits else ANY_STAGE & ~WAITING


def armed(now: SeatNow) -> Points:
    """The crew's mines that can be triggered."""
    helm = now.boat.helm
    return helm.mines & ~helm.unarmed


def otherwise(now: SeatNow, order: TriggerMine) -> str:
    return "mine.armed" if now.boat.helm.mines >> order.at & 1 else "mine.trigger"


def trigger(now: SeatNow, order: TriggerMine) -> Events:
    triggered: Events = [MineTriggered(now.crew, order.at)]
    return triggered + explode(now.game, [Explosion(order.at, "mine", now.crew)], now.crew)


def keys(now: SeatNow) -> Iterable[tuple[str, Order]]:
    """Aimed at a mine that is not armed, or at none."""
    mines = now.boat.helm.mines
    at = (mines & -mines).bit_length() - 1 if mines else now.boat.helm.at
    return (("trigger", TriggerMine(Point(at))),)


def mine_triggered(public: Public, event: MineTriggered, ground: CompiledSetup) -> Public:
    public = stop_play(public, event, ground)
    turn = public.turn
    if turn is None or turn.crew is not event.crew:
        return public
    return replace(public, turn=replace(turn, announced=True))


ACTIONS = (
    Action(
        order=TriggerMine,
        posts=captains,
        when=triggering,
        stages=stages,
        choices=by_point(TriggerMine, armed),
        otherwise=otherwise,
        happens=trigger,
        in_play=lambda setup: bool(setup.systems & MINE.bit),
        listed=Listed(playing=140),
        keys=(Key(place=40, names=keys),),
        begins_with=(MineTriggered,),
    ),
)

EVENTS = (
    EventRules(
        event=MineTriggered,
        heard=EVERYONE,
        public=mine_triggered,
        lines=(line("{crew} triggers the mine on {at:point}"),),
    ),
)
