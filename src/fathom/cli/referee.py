"""``fathom referee``: judges games for any program, by JSON lines on stdin and stdout."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from random import Random, SystemRandom
from typing import IO, Any, Final

from msgspec import structs

from fathom import __version__
from fathom.cli import messages as say
from fathom.cli.reading import LONGEST_LINE, BadMessage, read, write
from fathom.cli.terminal import OK
from fathom.engine import orders as give
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.named_view import portray
from fathom.engine.knowledge.view import WATCHER, Watcher, overhear, view
from fathom.engine.logbook import Logbook, Step
from fathom.engine.logbook import write as write_logbook
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide, legal, may_judge, may_trace, may_write
from fathom.engine.refusals import OrderRefused
from fathom.rules import library
from fathom.rules.chart import BadChart, Chart, read_chart
from fathom.rules.setup import RULES_VERSION, BadSetup, Choices, Setup, prepare
from fathom.words import CREW_A, CREWS, REFEREE, SYSTEMS, Crew, Referee, Seat

ViewerOrReferee = Seat | Referee | Watcher
NO_AUTO: Final = "a seed is for lots that the referee draws, with auto"


def run(options: Namespace) -> int:
    """Answer line by line until there is no more, or until somebody quits."""
    service = RefereeService(most_games=options.games)
    for number, line in enumerate(lines(sys.stdin.buffer), 1):
        if not line.strip():
            continue
        answer = service.answer(line, number)
        sys.stdout.buffer.write(write(answer))
        sys.stdout.buffer.flush()
        if isinstance(answer, say.LastAnswer):
            break
    return OK


def lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The stream's lines; what is too long is cut short, and never held in memory whole."""
    limit = LONGEST_LINE + 2
    while line := stream.readline(limit):
        rest = line
        while len(rest) == limit and not rest.endswith(b"\n"):
            rest = stream.readline(limit)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


class RefereeGame:
    """One game under way."""

    def __init__(self, setup: Setup, dice: Random | None) -> None:
        self.setup = setup
        self.game = new_game(setup)
        self.dice = dice
        self.steps: list[Step] = []
        self.events: list[AnyEvent] = []
        self.seats = {
            f"{colour}/{number}": Seat(crew, number)
            for crew, colour in zip(CREWS, setup.book.colours, strict=True)
            for number in range(len(setup.crews[crew].seats))
        }

    def find(self, name: say.SeatName) -> ViewerOrReferee:
        """The seat of that name."""
        if isinstance(name, say.SeatByNumber):
            name = f"{name.crew}/{name.number}"
        places: dict[str, ViewerOrReferee] = {"referee": REFEREE, "watcher": WATCHER, **self.seats}
        places |= {f"{seat.crew.value}/{seat.number}": seat for seat in self.seats.values()}
        if name in places:
            return places[name]
        known = ", ".join([*self.seats, "referee", "watcher"])
        raise BadMessage("unknown-seat", f"there is no seat {name[:40]!r}; there are {known}")

    def name(self, place: ViewerOrReferee) -> str:
        """How a seat is called in answers."""
        if isinstance(place, Seat):
            return f"{self.colour(place.crew)}/{place.number}"
        return "referee" if isinstance(place, Referee) else "watcher"

    def colour(self, crew: Crew) -> str:
        return self.setup.book.colours[CREWS.index(crew)]

    def give(self, place: Seat | Referee, order: AnyOrder) -> list[AnyEvent]:
        """Judge an order, and let happen what comes of it; the referee may act by itself then."""
        events = self.take_step(place, order)
        while self.dice is not None and (own := self.own_order()) is not None:
            events = events + self.take_step(REFEREE, own)
        return events

    def take_step(self, place: Seat | Referee, order: AnyOrder) -> list[AnyEvent]:
        events = decide(self.game, place, order)
        self.game = apply_all(self.game, events)
        self.steps.append(Step(place, tuple(events)))
        self.events += events
        return events

    def own_order(self) -> AnyOrder | None:
        """What the referee does by itself: draw who begins, and end a stop."""
        offered = legal(self.game, REFEREE)
        if self.dice is not None and give.DrawFirst(CREW_A) in offered:
            return give.DrawFirst(self.dice.choice(CREWS))
        return give.RESUME if give.RESUME in offered else None

    def heard(self, events: list[AnyEvent]) -> dict[str, tuple[Heard, ...]]:
        """For each seat and for watchers, what they hear of the events."""
        places: dict[str, Seat | Watcher] = {**self.seats, "watcher": WATCHER}
        return {name: self.share(events, place) for name, place in places.items()}

    def share(self, events: list[AnyEvent], place: Seat | Watcher) -> tuple[Heard, ...]:
        news = (overhear(self.game.ground, event, place) for event in events)
        return tuple(heard for heard in news if heard is not None)


class RefereeService:
    """All games of one process. Whatever comes in, an answer goes out."""

    def __init__(self, most_games: int) -> None:
        self.most_games = most_games
        self.tables: dict[str, RefereeGame] = {}

    def answer(self, line: bytes, number: int) -> say.AnyRefereeAnswer:
        """The answer to one line; whatever is wrong with it, the games are as they were."""
        request: say.AnyRefereeRequest | None = None
        try:
            request = read(line)
            return self.handle(request)
        except BadMessage as bad:
            about = bad.about if request is None else request.id
            return say.LineError(
                error=bad.error, what=bad.what, where=bad.where, line=number, id=about
            )
        except OrderRefused as refused:
            return refusal(request, refused.rule, "")
        except BadSetup as bad_setup:
            return refusal(request, bad_setup.rule, bad_setup.what)
        # A fault of our own must not end the games of others; what failed has changed nothing.
        except Exception as fault:  # noqa: BLE001
            what = f"{type(fault).__name__}: {str(fault)[:200]}"
            about = request.id if request else None
            return say.LineError(error="internal", what=what, line=number, id=about)

    def handle(self, request: say.AnyRefereeRequest) -> say.RefereeAnswer:
        """Do what is asked."""
        handlers: dict[type, Callable[[Any], say.RefereeAnswer]] = {
            say.AskGreeting: self.hello,
            say.SetUp: self.set_up,
            say.GiveSeatOrder: self.order,
            say.AskView: self.show,
            say.AskLegal: self.allowed,
            say.AskEvents: self.recall,
            say.AskLogbook: self.logbook,
            say.CloseGame: self.close,
            say.AskGames: self.games,
            say.Quit: lambda request: say.LastAnswer(id=request.id),
        }
        return handlers[type(request)](request)

    def table(self, request: say.AboutGame) -> RefereeGame:
        """The game that is asked about."""
        if request.game not in self.tables:
            known = ", ".join(sorted(self.tables)[:10]) or "none"
            what = f"there is no game {request.game!r}; there are: {known}"
            raise BadMessage("unknown-game", what, "$.game")
        return self.tables[request.game]

    # Setting up

    def hello(self, request: say.AskGreeting) -> say.Greeting:
        return say.Greeting(
            id=request.id,
            fathom=__version__,
            protocol=say.PROTOCOL,
            rules=RULES_VERSION,
            rulebooks=library.rulebook_names(),
            scenarios=library.scenario_names(),
            charts=library.chart_names(),
            most_games=self.most_games,
            longest_line=LONGEST_LINE,
        )

    def set_up(self, request: say.SetUp) -> say.Agreed:
        """Begin a game under a name that is not taken."""
        if request.game in self.tables:
            what = f"the game {request.game!r} is running; close it first, or use another name"
            raise BadMessage("game-exists", what, "$.game")
        if len(self.tables) >= self.most_games:
            raise BadMessage("too-many-games", f"{self.most_games} games are running; close one")
        if request.seed is not None and not request.auto:
            raise BadMessage("bad-message", NO_AUTO, "$.seed")
        chosen = {name: getattr(request, name) for name in Choices.__struct_fields__}
        setup = prepare(Choices(**chosen), own_chart(request))
        seed = request.seed if request.seed is not None else SystemRandom().getrandbits(32)
        table = RefereeGame(setup, Random(seed) if request.auto else None)
        events = []
        while table.dice is not None and (own := table.own_order()) is not None:
            events += table.take_step(REFEREE, own)
        answer = agreed(request, table, seed if request.auto else None, events)
        self.tables[request.game] = table
        return answer

    def close(self, request: say.CloseGame) -> say.Closed:
        position = len(self.table(request).events)
        del self.tables[request.game]
        return say.Closed(id=request.id, game=request.game, position=position)

    def games(self, request: say.AskGames) -> say.Games:
        running = {name: len(table.events) for name, table in self.tables.items()}
        return say.Games(id=request.id, games=running)

    # Playing

    def order(self, request: say.GiveSeatOrder) -> say.Happened:
        """Judge an order; everyone's share of what came of it."""
        table = self.table(request)
        place = table.find(request.seat)
        if isinstance(place, Watcher):
            raise BadMessage("unknown-seat", "watchers give no orders", "$.seat")
        events = table.give(place, request.order)
        return say.Happened(
            id=request.id,
            game=request.game,
            position=len(table.events),
            events=tuple(events),
            heard=table.heard(events),
            over=table.game.public.result is not None,
        )

    def show(self, request: say.AskView) -> say.Shown:
        table = self.table(request)
        place = table.find(request.seat)
        if isinstance(place, Referee):
            raise BadMessage("unknown-seat", "the referee has no view; ask for events", "$.seat")
        return say.Shown(
            id=request.id,
            game=request.game,
            position=len(table.events),
            seat=table.name(place),
            view=portray(table.game.ground, view(table.game, place)),
        )

    def allowed(self, request: say.AskLegal) -> say.Allowed:
        table = self.table(request)
        place, game = table.find(request.seat), table.game
        if isinstance(place, Watcher):
            raise BadMessage("unknown-seat", "watchers give no orders", "$.seat")
        seat = place if isinstance(place, Seat) else None
        return say.Allowed(
            id=request.id,
            game=request.game,
            position=len(table.events),
            seat=table.name(place),
            orders=legal(game, place),
            trace=may_trace(game, seat) if seat else (),
            judge=seat is not None and may_judge(game, seat),
            write=seat is not None and may_write(game, seat),
        )

    def recall(self, request: say.AskEvents) -> say.Recalled:
        """Events since a position; what a seat heard then is what it would hear now."""
        table = self.table(request)
        position = len(table.events)
        if not 0 <= request.since <= position:
            what = f"the game is at position {position}"
            raise BadMessage("bad-message", what, "$.since")
        place = table.find(request.seat) if request.seat is not None else REFEREE
        events = table.events[request.since :]
        return say.Recalled(
            id=request.id,
            game=request.game,
            position=position,
            since=request.since,
            seat=table.name(place) if request.seat is not None else "",
            events=tuple(events) if isinstance(place, Referee) else table.share(events, place),
        )

    def logbook(self, request: say.AskLogbook) -> say.Written:
        table = self.table(request)
        return say.Written(
            id=request.id,
            game=request.game,
            position=len(table.events),
            text=write_logbook(Logbook(table.setup, tuple(table.steps))),
        )


def own_chart(request: say.SetUp) -> Chart | None:
    """The chart that came with the request."""
    if request.chart_text is None:
        return None
    if request.chart is not None or request.scenario is not None:
        raise BadMessage("bad-message", "give chart_text, chart or scenario", "$.chart_text")
    try:
        return read_chart("own", "chart_text", request.chart_text)
    except BadChart as bad:
        where = f"$.chart_text, line {bad.line}, column {bad.column}"
        raise BadMessage("bad-chart", bad.what, where) from None


def agreed(
    request: say.SetUp, table: RefereeGame, seed: int | None, events: list[AnyEvent]
) -> say.Agreed:
    """The answer to a set-up."""
    setup, ground = table.setup, table.game.ground
    return say.Agreed(
        id=request.id,
        game=request.game,
        position=len(table.events),
        seats=tuple(
            say.SeatAgreed(name, *structs.astuple(setup.crews[seat.crew].seats[seat.number]))
            for name, seat in table.seats.items()
        ),
        colours={crew.value: table.colour(crew) for crew in CREWS},
        gauges={s.value: n for s, n in zip(SYSTEMS, ground.boxes, strict=True) if n},
        energy=ground.energy,
        sinks_at=ground.sinks_at,
        seed=seed,
        setup=setup,
        events=tuple(events),
        heard=table.heard(events),
    )


def refusal(request: say.AnyRefereeRequest | None, rule: str, what: str) -> say.Refusal:
    """An order or a set-up that breaks a rule."""
    about = request.id if request else None
    game = getattr(request, "game", say.DEFAULT_GAME)
    return say.Refusal(refused=rule, what=what, id=about, game=game)
