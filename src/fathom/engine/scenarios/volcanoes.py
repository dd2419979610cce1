"""The volcanoes of Delta-2, which every weapon wakes (scenario.volcanoes)."""

from collections.abc import Iterator
from typing import Any, Final, Literal

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    WAITING,
    Action,
    EventRules,
    Listed,
    at,
    line,
    marks_made,
)
from fathom.engine.actions.mine import MineLaidHeard
from fathom.engine.actions.torpedo import TorpedoFired
from fathom.engine.apply import apply_all
from fathom.engine.base import Event, Events, Order
from fathom.engine.blasts import Explosion, explode
from fathom.engine.choices import by_number
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.ending import GameEnded, losing
from fathom.engine.game import Awaited, Helm, Public
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import without_mines
from fathom.engine.special_rule import SpecialRule
from fathom.engine.who_may_act import once_over
from fathom.points import Point, Points, bits, blast, members
from fathom.rules.chart import Chart
from fathom.rules.terrain import Terrain
from fathom.words import Crew

NAMING = "volcano"
"""What play waits for after the second and third event."""
LAST_EVENT: Final = 3


class NameVolcano(Order, frozen=True, tag="volcano"):
    """Say which volcano smokes or flows (scenario.volcanoes)."""

    volcano: int


class VolcanoStirred(Event, frozen=True, tag="volcano-stirred"):
    """A crew's third weapon brought about a volcano event: 1, 2 or 3."""

    crew: Crew
    number: int


class VolcanoNamed(Event, frozen=True, tag="volcano-named"):
    """A captain named the volcano that smokes or flows, from 1."""

    crew: Crew
    volcano: int
    effect: Literal["smoke", "lava"]


def find_volcanoes(setup: CompiledSetup) -> None:
    """Where they are, and where their lava flows."""
    chart = setup.chart
    setup.volcano_gauge = chart.gauge
    setup.volcanoes = volcanoes_on(chart)
    setup.lava = tuple(red_points(chart, volcano) for volcano in setup.volcanoes)


def volcanoes_on(chart: Chart) -> tuple[Point, ...]:
    """The volcanoes, by rows; players call them 1 and 2."""
    return tuple(Point(point) for point in bits(chart.where("V")))


def red_points(chart: Chart, volcano: int) -> Points:
    """What becomes land when this volcano's lava flows."""
    return blast(1 << volcano) & chart.where("r")


def drawn_volcanoes(chart: Chart) -> dict[str, Any]:
    """The volcanoes, and where their lava flows."""
    volcanoes = volcanoes_on(chart)
    return {
        "volcanoes": volcanoes,
        "lava": tuple(members(red_points(chart, volcano)) for volcano in volcanoes),
    }


def problems(chart: Chart) -> Iterator[tuple[int | None, str]]:
    """Two volcanoes, and every red point next to exactly one of them."""
    volcanoes = volcanoes_on(chart)
    if len(volcanoes) != 2:
        yield None, f"there must be two volcanoes, not {len(volcanoes)}"
    for red in bits(chart.where("r")):
        if sum(blast(1 << red) >> volcano & 1 for volcano in volcanoes) != 1:
            yield red, "a red point must be next to exactly one volcano"


def stir(now: SeatNow, events: Events) -> Events:
    """``events``, and the volcano event that they bring about when the gauge is full."""
    ground, crew = now.ground, now.crew
    if not ground.volcano_gauge or isinstance(events[-1], GameEnded):
        return events
    after = apply_all(now.game, events)
    number = after.public.volcano_events + 1
    if after.public.volcano_marks[crew] < ground.volcano_gauge or number > LAST_EVENT:
        return events
    stirred: Events = [*events, VolcanoStirred(crew, number)]
    if number > 1:
        return stirred
    eruption = [Explosion(volcano, "volcano", None) for volcano in ground.volcanoes]
    return stirred + explode(after, eruption, crew)


def under_smoke(now: SeatNow, sector: int) -> bool:
    """Whether the volcano that smokes lies in the sector."""
    smoke, ground = now.public.smoke, now.ground
    return bool(smoke) and ground.sectors[ground.volcanoes[smoke - 1]] == sector


def unasked(now: SeatNow) -> str:
    """This crew's captain has to name a volcano."""
    awaited = now.public.awaited
    asked = awaited is not None and awaited.what == NAMING and awaited.crew is now.crew
    return "" if asked else "scenario.volcanoes"


def name(now: SeatNow, order: NameVolcano) -> Events:
    """The volcano smokes or, at the last event, its lava flows."""
    if now.public.volcano_events < LAST_EVENT:
        return [VolcanoNamed(now.crew, order.volcano, "smoke")]
    lava = now.ground.lava[order.volcano - 1]
    lost = now.game.boats.map(lambda boat: bool(lava >> boat.helm.at & 1))
    named: Events = [VolcanoNamed(now.crew, order.volcano, "lava")]
    return named + losing(now.game, lost, now.crew)


# What it does


def weapon_used(
    public: Public, event: TorpedoFired | MineLaidHeard, ground: CompiledSetup
) -> Public:
    """A weapon wakes the volcanoes."""
    if not ground.volcano_gauge or public.volcano_events == LAST_EVENT:
        return public
    marks = public.volcano_marks
    return replace(public, volcano_marks=marks.put(event.crew, marks[event.crew] + 1))


def volcano_stirred(public: Public, event: VolcanoStirred, ground: CompiledSetup) -> Public:
    awaited = Awaited(NAMING, event.crew) if event.number > 1 else public.awaited
    return replace(
        public,
        volcano_marks=public.volcano_marks.put(event.crew, 0),
        volcano_events=event.number,
        smoke=0,
        awaited=awaited,
    )


def volcano_named(public: Public, event: VolcanoNamed, ground: CompiledSetup) -> Public:
    if event.effect == "smoke":
        return replace(public, awaited=None, smoke=event.volcano)
    lava = ground.lava[event.volcano - 1]
    return replace(public, awaited=None, lava=lava, old_mines=public.old_mines & ~lava)


def see_lava(helm: Helm, event: VolcanoNamed, ground: CompiledSetup, crew: Crew) -> Helm:
    if event.effect == "smoke":
        return helm
    return without_mines(helm, ground.lava[event.volcano - 1])


ACTIONS = (
    Action(
        order=NameVolcano,
        posts=captains,
        when=once_over,
        hindrance=unasked,
        stages=at(WAITING),
        choices=by_number(
            NameVolcano, lambda order: int(order.volcano), lambda now: len(now.ground.volcanoes)
        ),
        otherwise=lambda now, order: "scenario.volcanoes",
        happens=name,
        listed=Listed(playing=170),
        ends_turn=marks_made,
        begins_with=(VolcanoNamed,),
        awaited=(NAMING, lambda setup: "scenario.volcanoes"),
    ),
)

EVENTS = (
    EventRules(
        event=VolcanoStirred,
        heard=EVERYONE,
        public=volcano_stirred,
        awaits=True,
        lines=(line("{crew} wakes the volcanoes: {number:stirring}"),),
    ),
    EventRules(
        event=VolcanoNamed,
        heard=EVERYONE,
        either={"helm": see_lava},
        public=volcano_named,
        lines=(line("{crew} names volcano {volcano:number} for {effect}"),),
    ),
)

SPECIAL_RULE = SpecialRule(
    terrain=Terrain(
        name="volcanoes",
        about="two volcanoes that weapons wake (scenario.volcanoes)",
        sea={"r": "red point, land once lava flows"},
        land={"V": "volcano"},
        gauge=3,
        problems=problems,
    ),
    orders=(NameVolcano,),
    compile=find_volcanoes,
    drawn=drawn_volcanoes,
    after_weapon=stir,
    drone_blinded=under_smoke,
    announced={MineLaidHeard: weapon_used, TorpedoFired: weapon_used},
)
