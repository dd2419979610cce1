"""Setting up a game: what players choose, checked and resolved into all that the engine reads."""

from functools import cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from fathom.rules import library
from fathom.rules.chart import Chart
from fathom.rules.rulebook import Goal, Pace, Rulebook
from fathom.rules.sheet import Hull, Sheet
from fathom.words import (
    CAPTAIN,
    CREWS,
    ENGINEER,
    FIRST_MATE,
    RADIO_OPERATOR,
    ByCrew,
    Crew,
    Mode,
    Post,
    is_printable,
)

USUAL_RULEBOOK = "captain-sonar"
"""The rulebook that is played where none is chosen."""
USUAL_PLAYERS = 2
RULES_VERSION = 1
"""Raised when a correction changes how recorded games would be judged."""


class BadSetup(ValueError):
    """Choices that the rules don't allow; ``rule`` is the rule's name."""

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(f"{rule}: {what}")
        self.rule, self.what = rule, what


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One player of a crew and the posts they hold."""

    name: str
    posts: tuple[Post, ...]


class CrewPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One crew: its submarine's name and its players (crew.names)."""

    boat: str
    seats: tuple[SeatPlan, ...]
    shy_mate: bool = False


class House(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agrees beside its rulebook."""

    radio_help: Literal["paper", "tape", "computer"] = "paper"
    """How much the program helps the radio operator (secret.radio)."""
    stations: Literal["open", "closed"] = "open"
    """Whether a crew may look at each other's sheets (secret.crew)."""
    quick_ends: bool = False
    """Whether a turn ends by itself when no system could be activated (turn.order)."""
    trace_judge: Literal["program", "enemy-engineer"] = "program"
    """Who judges a traced hull (surface.trace)."""
    trace_redo: Literal["all", "bad"] = "all"
    """Whether a bad stroke spoils all four sections or only its own (surface.trace)."""
    lift_crew_rules: bool = False
    """Whether crew.mode and crew.sizes are lifted."""
    pause_seconds: Annotated[float, Meta(ge=0, le=600)] = 3.0
    """How long a stop lasts when nothing more is awaited (system.stop)."""
    answer_seconds: Annotated[float, Meta(ge=0, le=3600)] | None = None
    """After which time the program answers a sonar (sonar.answer)."""
    leaving: Literal["wait", "bot", "lose"] = "wait"
    """What happens to a post whose player has gone (end.abandon)."""
    leaving_seconds: Annotated[float, Meta(ge=0, le=86_400)] = 60.0
    """How long a post may be empty before that happens."""


class Choices(Struct, frozen=True, forbid_unknown_fields=True):
    """What players choose before a game (start.choices). Everything has a sensible default."""

    rulebook: str = USUAL_RULEBOOK
    mode: Mode = Mode.TURN_BY_TURN
    scenario: str | None = None
    chart: str | None = None
    """A chart by name, instead of a scenario's."""
    goal: str | None = None
    sheet: str | None = None
    rulings: dict[str, Any] = {}
    """Fields of the rulebook that this table plays otherwise."""
    house: House = House()
    crews: ByCrew[CrewPlan] | None = None
    players: int | None = None
    """How many players, where the crews are not given; usually 2."""
    first: Crew | None = None
    """Who begins, turn by turn; drawn when not given (start.first)."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """All that is agreed: what the engine reads and what a record's header keeps."""

    version: int
    mode: Mode
    book: Rulebook
    goal: Goal
    chart: Chart
    sheet: Sheet | None
    hull: Hull
    crews: ByCrew[CrewPlan]
    first: Crew | None
    house: House

    @property
    def pace(self) -> Pace:
        """The rulebook's fields for this mode."""
        return self.book.real_time if self.mode is Mode.REAL_TIME else self.book.turn_by_turn


def prepare(choices: Choices, own_chart: Chart | None = None) -> Setup:
    """The set-up that these choices make, or the rule that they break."""
    book = with_rulings(choices)
    pace = book.real_time if choices.mode is Mode.REAL_TIME else book.turn_by_turn
    check_choices(choices)
    players = USUAL_PLAYERS if choices.players is None else choices.players
    crews = choices.crews or default_crews(book, players)
    setup = Setup(
        version=RULES_VERSION,
        mode=choices.mode,
        book=book,
        goal=choose_goal(book, choices.goal),
        chart=own_chart or choose_chart(choices, book, pace),
        sheet=choose_sheet(pace, choices.sheet),
        hull=library.hull(),
        crews=crews,
        first=choices.first,
        house=choices.house,
    )
    check(setup)
    return setup


def check_choices(choices: Choices) -> None:
    """No choice contradicts another: neither would win silently."""
    if choices.scenario and choices.chart and choices.chart not in charts_of(choices.scenario):
        what = f"the chart {choices.chart[:40]!r} does not belong to the scenario; give one of them"
        raise BadSetup("start.choices", what)
    if choices.crews and choices.players is not None:
        sizes = sum(len(plan.seats) for plan in choices.crews)
        if sizes != choices.players:
            what = (
                f"there are {sizes} players in the crews, not {choices.players}; give one of them"
            )
            raise BadSetup("start.choices", what)
    if choices.first is not None and choices.mode is Mode.REAL_TIME:
        raise BadSetup("start.first", "in real time both crews begin; leave out who is first")


def charts_of(scenario: str) -> tuple[str, ...]:
    """The charts of a scenario, if it is known."""
    try:
        found = library.scenario(scenario)
    except library.Unknown as unknown:
        raise BadSetup("start.choices", str(unknown)) from None
    return (found.small, *((found.large,) if found.large else ()))


def with_rulings(choices: Choices) -> Rulebook:
    """The rulebook with the table's own rulings."""
    try:
        book = library.rulebook(choices.rulebook)
    except library.Unknown as unknown:
        raise BadSetup("start.choices", str(unknown)) from None
    if not choices.rulings:
        return book
    for ruling in choices.rulings:
        if ruling not in possible_rulings():
            raise BadSetup("start.choices", f"{ruling[:40]!r} is no ruling of a rulebook")
    try:
        ruled = msgspec.convert({**msgspec.to_builtins(book), **choices.rulings}, Rulebook)
    except msgspec.ValidationError as bad:
        raise BadSetup("start.choices", f"rulings: {bad}") from None
    if (ruled.energy is None) != (book.energy is None):
        raise BadSetup("start.choices", "rulings: energy can't take the place of gauges, nor go")
    return ruled


@cache
def possible_rulings() -> frozenset[str]:
    """The fields of a rulebook that a table may play otherwise."""
    fields = msgspec.structs.fields(Rulebook)
    return frozenset(field.name for field in fields if not field.required)


def choose_goal(book: Rulebook, name: str | None) -> Goal:
    """The goal chosen, or the rulebook's usual one."""
    goal = book.goal(name) if name else book.goals[0]
    if goal is None:
        known = ", ".join(goal.name for goal in book.goals)
        raise BadSetup("start.choices", f"{book.title} has no goal {name!r}; known: {known}")
    return goal


def choose_chart(choices: Choices, book: Rulebook, pace: Pace) -> Chart:
    """The chart named, or that of the scenario, or that of the scenario advised first."""
    try:
        if choices.chart:
            return library.chart(choices.chart)
        scenario = library.scenario(choices.scenario or book.first_scenario)
        name = scenario.chart(pace.chart_side)
        if name is None:
            size = f"{pace.chart_side}x{pace.chart_side}"
            raise BadSetup("chart.any", f"{scenario.title} has no chart of {size}")
        return library.chart(name)
    except library.Unknown as unknown:
        raise BadSetup("start.choices", str(unknown)) from None


def choose_sheet(pace: Pace, name: str | None) -> Sheet | None:
    """The engineer's sheet chosen, or the usual one; none without an engineer."""
    if name is None:
        return library.sheet(pace.sheets[0]) if pace.sheets else None
    if name not in pace.sheets:
        known = ", ".join(pace.sheets) or "none"
        raise BadSetup("start.choices", f"no engineer's sheet {name!r} here; known: {known}")
    return library.sheet(name)


def default_crews(book: Rulebook, players: int) -> ByCrew[CrewPlan]:
    """Crews for so many players, the posts shared out as the rulebooks do (crew.sharing)."""
    larger, smaller = (players + 1) // 2, players // 2
    if not book.players[0] <= players <= book.players[1]:
        raise BadSetup("crew.sizes", f"{book.title} is for {book.players[0]} to {book.players[1]}")
    return ByCrew(
        *(
            CrewPlan(
                colour.capitalize(),
                tuple(
                    SeatPlan(f"{colour.capitalize()} {number}", posts)
                    for number, posts in enumerate(share_posts(book, size), 1)
                ),
            )
            for colour, size in zip(book.colours, (larger, smaller), strict=True)
        )
    )


def share_posts(book: Rulebook, size: int) -> tuple[tuple[Post, ...], ...]:
    """Who holds which posts in a crew of this size."""
    shares = {
        1: ((CAPTAIN, FIRST_MATE, ENGINEER, RADIO_OPERATOR),),
        2: ((CAPTAIN, FIRST_MATE, ENGINEER), (RADIO_OPERATOR,)),
        3: ((CAPTAIN, FIRST_MATE), (ENGINEER,), (RADIO_OPERATOR,)),
        4: ((CAPTAIN,), (FIRST_MATE,), (ENGINEER,), (RADIO_OPERATOR,)),
    }
    return tuple(tuple(post for post in posts if post in book.posts) for posts in shares[size])


def check(setup: Setup) -> None:
    """Everything that a set-up must fulfil."""
    for crew in CREWS:
        check_crew(setup, crew)
    check_numbers(setup)
    check_chart(setup)
    if setup.book.silence_least > setup.book.silence_most:
        raise BadSetup("start.choices", "rulings: silence_least is more than silence_most")


def check_crew(setup: Setup, crew: Crew) -> None:
    """Every post of the rulebook is held once, and names are names."""
    plan = setup.crews[crew]
    held = [post for seat in plan.seats for post in seat.posts]
    if not 1 <= len(plan.seats) <= len(setup.book.posts):
        raise BadSetup("crew.sizes", f"a crew has 1 to {len(setup.book.posts)} players")
    if sorted(held, key=lambda post: post.bit) != sorted(
        setup.book.posts, key=lambda post: post.bit
    ):
        raise BadSetup("crew.posts", f"crew {crew.value}: every post must be held once")
    if not all(seat.posts for seat in plan.seats):
        raise BadSetup("crew.sharing", f"crew {crew.value}: every player needs a post")
    if plan.shy_mate and not setup.book.shy_mate:
        raise BadSetup("crew.shy-mate", f"{setup.book.title} knows no shy first mate")
    for name in (plan.boat, *(seat.name for seat in plan.seats)):
        if not 1 <= len(name) <= 40 or not is_printable(name) or name != name.strip():
            raise BadSetup("crew.names", "a name has 1 to 40 printable characters")


def check_numbers(setup: Setup) -> None:
    """The rulebook allows so many players in this mode, evenly split."""
    sizes = [len(plan.seats) for plan in setup.crews]
    fewest, most = setup.pace.players
    if setup.house.lift_crew_rules:
        return
    if not fewest <= sum(sizes) <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        what = f"{setup.mode.value} is for {allowed} players, not {sum(sizes)}"
        raise BadSetup("crew.mode", what)
    if abs(sizes[0] - sizes[1]) > 1:
        raise BadSetup("crew.sizes", f"crews of {sizes[0]} and {sizes[1]} are not even")


def check_chart(setup: Setup) -> None:
    """The chart has the mode's size, and its special rules can be played with this rulebook."""
    chart, side = setup.chart, setup.pace.chart_side
    if (chart.across, chart.down) != (side, side):
        what = f"{chart.title} is {chart.across}x{chart.down}; here it must be {side}x{side}"
        raise BadSetup("chart.any", what)
    if chart.terrain.gauge and setup.book.energy:
        what = f"{chart.title} has a scenario system; {setup.book.title} has no gauges for it"
        raise BadSetup("chart.any", what)
