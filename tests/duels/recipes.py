"""Which duels are kept, and what has to happen in each."""

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from fathom.engine import events as happened
from fathom.engine import orders as say
from fathom.engine.logbook import Logbook
from fathom.rules.setup import Choices, CrewPlan, House, SeatPlan, prepare
from fathom.words import ByCrew, Crew, Mode, Post, System
from tests.duels.play import Taste, play

TURNS, REAL = Mode.TURN_BY_TURN, Mode.REAL_TIME
POSTS = tuple(Post)
MOST_TRIES = 3000


class Recipe(NamedTuple):
    """How the dice come by a duel: they play until all that is wanted happens."""

    name: str
    choices: Choices
    wanted: tuple[Callable[[Logbook], bool], ...]
    taste: Taste | None = None
    most: int = 150


def cook(recipe: Recipe) -> Logbook:
    """The first game in which everything wanted happens."""
    setup = prepare(recipe.choices)
    for seed in count():
        logbook = play(setup, seed, recipe.most, recipe.taste)
        if all(wish(logbook) for wish in recipe.wanted):
            return logbook
        if seed > MOST_TRIES:
            break
    raise LookupError(f"the dice find no duel for {recipe.name}")


def kinds(*kinds: type) -> Callable[[Logbook], bool]:
    """Events of all these kinds happen."""
    return lambda logbook: set(kinds) <= {type(event) for event in logbook.events}


def ends(*ways: str) -> Callable[[Logbook], bool]:
    """The game ends in one of these ways."""
    return lambda logbook: getattr(logbook.events[-1], "why", "") in ways


def some(kind: type, **fields: Any) -> Callable[[Logbook], bool]:
    """An event of this kind has these values."""
    return lambda logbook: any(
        isinstance(event, kind) and all(getattr(event, f) == v for f, v in fields.items())
        for event in logbook.events
    )


def explosions_in_one_step(least: int) -> Callable[[Logbook], bool]:
    """So many things explode because of one order."""
    return lambda logbook: any(
        sum(isinstance(event, happened.Exploded) for event in step.events) >= least
        for step in logbook.steps
    )


CREWS = ByCrew(
    CrewPlan("Nautilus", (SeatPlan('Ned "the Harpooner" Land', POSTS),)),
    CrewPlan("Грім", (SeatPlan("Марічка", POSTS),)),
)

SUNK = ends("end.sunk")
DRAW = ends("end.draw")
RADIO = kinds(happened.LineDrawn, happened.NoteWritten)
TRACED = kinds(happened.SectionTraced, happened.ReadyReported)

RECIPES = (
    Recipe(
        "captain-sonar-turn-by-turn",
        Choices("captain-sonar", TURNS, crews=CREWS),
        (SUNK, kinds(happened.Surfaced, happened.DroneLaunched)),
    ),
    Recipe(
        "captain-sonar-real-time",
        Choices("captain-sonar", REAL, players=4),
        (TRACED, some(happened.TraceJudged, bad=()), kinds(happened.DroneLaunched)),
        {say.Surface: 1},
        most=120,
    ),
    Recipe(
        "captain-sonar-ru-turn-by-turn",
        Choices("captain-sonar-ru", TURNS, players=3),
        (SUNK, kinds(happened.MineTriggered, happened.SonarAnswered)),
    ),
    Recipe(
        "captain-sonar-ru-real-time",
        Choices("captain-sonar-ru", REAL, players=6),
        (kinds(happened.TorpedoFired, happened.RanSilent, happened.MineTriggered),),
    ),
    Recipe(
        "captain-sonar-2-turn-by-turn",
        Choices("captain-sonar-2", TURNS, players=4, first=Crew.B, sheet="20-symbols"),
        (SUNK, kinds(happened.MineLaid, happened.CircuitMended)),
    ),
    Recipe(
        "captain-sonar-2-real-time",
        Choices("captain-sonar-2", REAL, players=7, house=House(trace_judge="enemy-engineer")),
        (TRACED, kinds(happened.SonarAnswered, happened.MineLaid)),
        {say.Surface: 0.5},
        most=110,
    ),
    Recipe(
        "sonar-turn-by-turn",
        Choices("sonar", TURNS),
        (SUNK, kinds(happened.SonarAnswered, happened.RanSilent, happened.Surfaced)),
    ),
    Recipe(
        "sonar-real-time",
        Choices("sonar", REAL, scenario="umbria", players=4),
        (SUNK, kinds(happened.SonarAnswered, happened.RanSilent, happened.Surfaced)),
    ),
    Recipe(
        "old-mines",
        Choices("captain-sonar", TURNS, scenario="echo"),
        (kinds(happened.OldMineDetonated, happened.OldMineDestroyed),),
        {say.DetonateOldMine: 20},
    ),
    Recipe(
        "volcanoes",
        Choices("captain-sonar-2", TURNS, scenario="delta-2", house=House(quick_ends=True)),
        (
            kinds(happened.VolcanoNamed),
            some(happened.VolcanoStirred, number=1),
            some(happened.Exploded, source="volcano"),
        ),
        {say.LayMine: 50, System.MINE: 50, say.DrawLine: 0, say.SlideSheet: 0},
    ),
    Recipe(
        "damaged",
        Choices("captain-sonar-2", TURNS, scenario="echo-2"),
        (kinds(happened.SystemRepaired, happened.GaugeCharged),),
        {say.RepairSystem: 50},
    ),
    Recipe(
        "ice",
        Choices("captain-sonar", TURNS, scenario="delta"),
        (some(happened.Damaged, cause="ice"), SUNK),
        {say.Surface: 2},
    ),
    Recipe(
        "ice-field",
        Choices("captain-sonar-2", TURNS, scenario="charlie-2"),
        (some(happened.Damaged, cause="ice"), kinds(happened.Surfaced)),
        {say.Surface: 2},
    ),
    Recipe(
        "sudden-death",
        Choices("captain-sonar-2", TURNS, goal="sudden-death"),
        (SUNK, some(happened.Exploded)),
    ),
    Recipe(
        "closed-stations",
        Choices("captain-sonar", REAL, players=8, house=House(stations="closed")),
        (RADIO, kinds(happened.MineLaid, happened.DroneLaunched, happened.SectionTraced)),
        {say.Surface: 0.5, say.DrawLine: 0.3, say.WriteNote: 0.3},
    ),
    Recipe(
        "chain-of-mines",
        Choices("captain-sonar-2", TURNS),
        (explosions_in_one_step(3),),
        {say.LayMine: 50, say.TriggerMine: 0.1, say.FireTorpedo: 1, say.RunSilent: 0.2},
    ),
    Recipe(
        "misuse",
        Choices("captain-sonar-2", TURNS, players=8),
        (kinds(happened.SystemFailed), some(happened.Damaged, cause="breakdown")),
    ),
    Recipe(
        "draw",
        Choices("captain-sonar-2", TURNS, goal="sudden-death"),
        (DRAW,),
    ),
    Recipe(
        "lot",
        Choices("captain-sonar-2", TURNS, players=2),
        (kinds(happened.FirstDrawn), RADIO),
        {say.DrawLine: 3, say.WriteNote: 3, say.SlideSheet: 3, say.Rub: 3, say.NewSheet: 1},
        most=60,
    ),
)
