"""Telling a game as a story: set the scene, give orders, look at what happened."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from fathom.engine.apply import apply, apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Boat, Game, Helm, new_game
from fathom.engine.knowledge.view import overhear
from fathom.engine.orders import (
    AnyOrder,
    Charge,
    CrossOut,
    Dive,
    DrawFirst,
    Place,
    ResumePlay,
)
from fathom.engine.referee import decide, legal
from fathom.engine.refusals import OrderRefused
from fathom.points import collect, parse
from fathom.rules.chart import Chart, read_chart
from fathom.rules.rulebook import Pace, Rulebook
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.words import CREWS, REFEREE, Crew, Mode, Post, Referee, Seat, System

A, B = CREWS
ALL_BOOKS = ("captain-sonar", "captain-sonar-ru", "captain-sonar-2", "sonar")
CAPTAIN_BOOKS = ALL_BOOKS[:3]
MODES = (Mode.TURN_BY_TURN, Mode.REAL_TIME)
OPEN_SEA = "\n".join(["." * 10] * 10)

OrderOption = tuple[Seat | Referee, AnyOrder]
"""An order, and who could give it."""


def sea(picture: str, **header: str) -> Chart:
    """A chart drawn in a test; marks may be spaced out."""
    rows = ["".join(line.split()) for line in picture.strip().splitlines()]
    head = "".join(f"{key}: {value}\n" for key, value in {"title": "Test", **header}.items())
    return read_chart("test", "test", head + "\n" + "\n".join(rows) + "\n")


def table(
    rulebook: str = "captain-sonar",
    mode: Mode = Mode.TURN_BY_TURN,
    *,
    chart: Chart | None = None,
    house: Mapping[str, Any] | None = None,
    **choices: Any,
) -> Setup:
    """A set-up; a chart of any size may be used, and real time with two players."""
    agreed = {"lift_crew_rules": True, **(house or {})}
    first = A if mode is Mode.TURN_BY_TURN else None
    chosen = Choices(
        rulebook=rulebook, mode=mode, house=msgspec.convert(agreed, House), first=first, **choices
    )
    setup = prepare(chosen)
    return replace(setup, chart=chart) if chart else setup


def with_pace(setup: Setup, **fields: Any) -> Setup:
    """The set-up with fields of its mode changed, such as the gauges."""
    which = "real_time" if setup.mode is Mode.REAL_TIME else "turn_by_turn"
    pace: Pace = replace(setup.pace, **fields)
    book: Rulebook = replace(setup.book, **{which: pace})
    return replace(setup, book=book)


def refusal(game: Game, seat: Seat | Referee, order: AnyOrder) -> str:
    """The rule by which an order is refused; empty if it is accepted."""
    try:
        decide(game, seat, order)
    except OrderRefused as refused:
        return refused.rule
    return ""


class Story:
    """A game under way. Points are named; crews are ``A`` and ``B``; posts find their seats."""

    def __init__(self, setup: Setup, a: str = "A1", b: str = "J10", *, begun: bool = True) -> None:
        self.setup = setup
        self.game = new_game(setup)
        self.events: list[AnyEvent] = []
        if begun:
            self.begin(a, b)

    def begin(self, a: str, b: str) -> None:
        """Both captains mark their starts and dive."""
        for crew, at in ((A, a), (B, b)):
            if self.setup.chart.starts is None:
                self.order(crew, Place(parse(at)))
            self.order(crew, Dive())

    def seat(self, crew: Crew, order_or_post: AnyOrder | Post) -> Seat:
        """The seat that gives such orders, or holds the post."""
        ground = self.game.ground
        if isinstance(order_or_post, Post):
            return Seat(crew, ground.seat_of(crew, order_or_post))
        allowed = ground.allowed[crew].get(type(order_or_post), 0)
        trace = self.game.boats[crew].trace
        if type(order_or_post).__name__ == "TraceSection" and trace is not None:
            return Seat(crew, trace.holder)
        posts = ground.posts[crew]
        return Seat(crew, next((n for n, held in enumerate(posts) if held & allowed), 0))

    def order(self, crew: Crew, *orders: AnyOrder) -> list[AnyEvent]:
        """Give orders, each from the seat that may; all that happens is returned."""
        return self.from_seats((self.seat(crew, order), order) for order in orders)

    def from_seats(self, orders: Iterable[tuple[Seat, AnyOrder]]) -> list[AnyEvent]:
        """Give orders from given seats."""
        happened: list[AnyEvent] = []
        for seat, order in orders:
            events = decide(self.game, seat, order)
            self.game = apply_all(self.game, events)
            happened += events
        self.events += happened
        return happened

    def aye(self, crew: Crew) -> list[AnyEvent]:
        """First mate and engineer make the first legal mark, where one is due."""
        happened: list[AnyEvent] = []
        for post, kind in ((Post.FIRST_MATE, Charge), (Post.ENGINEER, CrossOut)):
            mark = next(
                (order for order in self.legal(crew, post) if isinstance(order, kind)), None
            )
            happened += self.order(crew, mark) if mark is not None else []
        return happened

    def referee(self, order: AnyOrder) -> list[AnyEvent]:
        """Give an order as the referee."""
        events = decide(self.game, REFEREE, order)
        self.game = apply_all(self.game, events)
        self.events += events
        return events

    def resume(self) -> list[AnyEvent]:
        """End a stop, whoever does it in this rulebook."""
        stop = self.game.public.stop
        if self.setup.book.resume == "captain" and stop is not None:
            return self.order(stop.by, ResumePlay())
        return self.referee(ResumePlay())

    def draw_first(self, crew: Crew) -> list[AnyEvent]:
        """The lot falls on ``crew``."""
        return self.referee(DrawFirst(crew))

    def refusal(self, crew: Crew, order: AnyOrder, seat: Seat | None = None) -> str:
        """The rule by which the order is refused; fails if it is accepted or anything changes."""
        before = self.game
        try:
            events = decide(self.game, seat or self.seat(crew, order), order)
        except OrderRefused as refused:
            assert self.game == before
            return refused.rule
        raise AssertionError(f"accepted: {order} gave {events}")

    def accepts(self, crew: Crew, order: AnyOrder) -> bool:
        """Whether the order would be accepted now."""
        return not refusal(self.game, self.seat(crew, order), order)

    def legal(self, crew: Crew, post: Post = Post.CAPTAIN) -> tuple[AnyOrder, ...]:
        """The legal orders of the seat that holds ``post``."""
        return legal(self.game, self.seat(crew, post))

    def heard_by(
        self, crew: Crew, events: Iterable[AnyEvent], post: Post = Post.RADIO_OPERATOR
    ) -> list[Any]:
        """What the seat that holds ``post`` hears of ``events`` that happen now."""
        seat = self.seat(crew, post)
        heard = (overhear(self.game.ground, event, seat) for event in events)
        return [news for news in heard if news is not None]

    # Setting the scene without playing up to it

    def boat(self, crew: Crew) -> Boat:
        """The crew's sheets."""
        return self.game.boats[crew]

    def change(self, crew: Crew, **sheets: Mapping[str, Any]) -> None:
        """Change fields of sheets: ``change(A, helm={"mines": ...})``."""
        boat = self.boat(crew)
        new = {name: replace(getattr(boat, name), **fields) for name, fields in sheets.items()}
        self.game = replace(self.game, boats=self.game.boats.put(crew, replace(boat, **new)))

    def put(self, crew: Crew, at: str, route: str = "") -> None:
        """Put a submarine on a point, with the route that led there (without the point itself)."""
        way = (*(parse(name) for name in route.split()), parse(at))
        mines = self.boat(crew).helm.mines
        helm = Helm(at=way[-1], route=way, covered=collect(way), mines=mines)
        new = replace(self.boat(crew), helm=helm)
        self.game = replace(self.game, boats=self.game.boats.put(crew, new))

    def ready(self, crew: Crew, *systems: System) -> None:
        """Charge these systems fully (family game: fill the energy gauge)."""
        boat, ground = self.boat(crew), self.game.ground
        bits = sum(system.bit for system in systems) | boat.duty.ready
        boxes = tuple(
            full if bits >> place & 1 else filled
            for place, (full, filled) in enumerate(
                zip(ground.boxes, boat.gauges.boxes, strict=True)
            )
        )
        self.change(crew, duty={"ready": bits}, gauges={"boxes": boxes, "energy": ground.energy})

    def cross_out(self, crew: Crew, *symbols: str) -> None:
        """Cross symbols out, with no consequences."""
        crossed = sum(1 << self.game.ground.symbols[symbol] for symbol in symbols)
        self.change(crew, engine={"crossed": self.boat(crew).engine.crossed | crossed})

    def mine(self, crew: Crew, *points: str) -> None:
        """Lay armed mines."""
        mines = self.boat(crew).helm.mines | collect(parse(point) for point in points)
        self.change(crew, helm={"mines": mines})

    def tell(self, *events: AnyEvent) -> None:
        """Let events happen without judging them."""
        for event in events:
            self.game = apply(self.game, event)

    def public(self, **fields: Any) -> None:
        """Change what everyone knows, such as ``damage`` or ``turn``."""
        self.game = replace(self.game, public=replace(self.game.public, **fields))

    def sailed(self, crew: Crew) -> None:
        """The crew has set this turn's course and made its marks: now a system may be used."""
        turn = self.game.public.turn
        if turn is not None:
            self.public(turn=replace(turn, crew=crew, sailed=True, announced=True))
        self.change(crew, duty={"charge": "none", "cross": "none", "barred": ""})


def crossed_names(story: Story, crew: Crew) -> set[str]:
    """The names of the symbols crossed out."""
    crossed = story.boat(crew).engine.crossed
    return {name for name, place in story.game.ground.symbols.items() if crossed >> place & 1}
