"""The referee draws lots for who begins (start.first)."""

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, Action, EventRules, Listed, line
from fathom.engine.actions.dive import beginning
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import listed
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Public
from fathom.engine.posts import nobody
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import at_any_time
from fathom.words import CREW_A, CREWS, Crew


class DrawFirst(Order, frozen=True, tag="first"):
    """Which crew begins, as the lot fell (start.first)."""

    crew: Crew


class FirstDrawn(Event, frozen=True, tag="first-drawn"):
    """The lot fell on the crew that begins."""

    crew: Crew


LOTS = tuple(DrawFirst(crew) for crew in CREWS)


def hindrance(now: SeatNow) -> str:
    """Turn by turn, before play, once."""
    public = now.public
    wanted = public.phase == "placing" and public.first is None and not now.ground.real_time
    return "" if wanted else "start.first"


def draw(now: SeatNow, order: DrawFirst) -> Events:
    dived = now.public.dived
    return [FirstDrawn(order.crew), *beginning(now.game, dived.a and dived.b, order.crew)]


def first_drawn(public: Public, event: FirstDrawn, ground: CompiledSetup) -> Public:
    return replace(public, first=event.crew)


ACTIONS = (
    Action(
        order=DrawFirst,
        posts=nobody,
        when=at_any_time,
        hindrance=hindrance,
        choices=listed(lambda now: LOTS),
        otherwise=lambda now, order: "start.first",
        happens=draw,
        listed=Listed(referee=20),
        begins_with=(FirstDrawn,),
        crew_behind=lambda event: None,
        on_behalf=lambda game: CREW_A,
    ),
)

EVENTS = (
    EventRules(
        event=FirstDrawn,
        heard=EVERYONE,
        public=first_drawn,
        lines=(line("the lot falls on {crew}"),),
    ),
)
