"""Games as agents play them: who is asked when, and what they are offered. In plain Python.

This defines what the core's batches do (``fathom.core.batch`` says it in words); tests hold both
together.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Final

from msgspec import Meta, Struct

from fathom.belief.evidence import Belief
from fathom.core import actions, observation
from fathom.core.actions import BLOCKS, LISTED, WAIT, order_of
from fathom.engine import orders as say
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.view import View, drawing, view
from fathom.engine.referee import decide, legal, may_judge, may_trace
from fathom.points import Points
from fathom.rules.setup import Setup
from fathom.words import CREW_A, CREW_B, CREWS, ENGINEER, REFEREE, Crew, Mode, Referee, Seat

Agent = Crew | Seat
GOES_ON, GAME_OVER, CUT_SHORT = range(3)
"""How a game stands after a step."""

WORD: Final = (1 << 64) - 1
NOT_TO_PLAY_ON: Final = frozenset(
    [
        BLOCKS["resign"].start,
        *range(BLOCKS["trace-badly"].start, BLOCKS["trace-badly"].stop),
        *range(BLOCKS["judge"].start + 1, BLOCKS["judge"].stop),
    ]
)
"""What no crew does that wants to play on."""
PLACES: Final = range(BLOCKS["place"].start, BLOCKS["place"].stop)
DIVE: Final = BLOCKS["dive"].start


class Terms(Struct, frozen=True):
    """How agents play."""

    by_crew: bool = True
    """Whether a crew is one agent, or each of its seats."""
    everything: bool = False
    """Whether resigning, bad strokes and the like are offered, too."""
    limit: Annotated[int, Meta(ge=1)] = 4_000
    """Orders, or in real time ticks, after which a game is cut short."""
    pause: Annotated[int, Meta(ge=0)] = 0
    """Ticks that a stop lasts when nothing more is awaited."""
    belief: bool = False
    """Whether observations have the two planes of belief."""


USUAL: Final = Terms()


class Dice:
    """Random numbers that the core draws alike (SplitMix64)."""

    def __init__(self, state: int) -> None:
        self.state = state & WORD

    def next(self) -> int:
        """64 random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        return z ^ z >> 31

    def below(self, limit: int) -> int:
        """A number below ``limit``."""
        return (self.next() >> 32) * limit >> 32


def dice_of(seed: int, game: int) -> Dice:
    """The dice of one game of a batch."""
    return Dice(Dice(seed + game).next())


def seats_of(setup: Setup, crew: Crew) -> tuple[Seat, ...]:
    """All seats of a crew."""
    return crew_seats(crew, len(setup.crews[crew].seats))


@cache
def crew_seats(crew: Crew, count: int) -> tuple[Seat, ...]:
    """So many seats of a crew."""
    return tuple(Seat(crew, number) for number in range(count))


def allowed(game: Game, agent: Agent | Referee) -> set[int]:
    """The legal actions of an agent; a crew's are those of all its seats."""
    if isinstance(agent, Crew):
        return set().union(*(allowed(game, s) for s in seats_of(game.ground.setup, agent)))
    found = set(map(LISTED.__getitem__, legal(game, agent)))
    if isinstance(agent, Referee):
        return found
    for section in may_trace(game, agent):
        found |= {BLOCKS[name].start + section - 1 for name in ("trace", "trace-badly")}
    if may_judge(game, agent):
        found |= set(range(BLOCKS["judge"].start, BLOCKS["judge"].stop))
    return found


def seen(game: Game, agent: Agent) -> View:
    """What an agent sees; a crew sees all its sheets."""
    if isinstance(agent, Seat):
        return view(game, agent)
    boat, enemy = game.boats[agent], game.boats[agent.other]
    seat = Seat(agent, boat.trace.holder if boat.trace else 0)
    sheets = (boat.duty, boat.helm, boat.gauges, boat.engine, boat.radio, boat.trace)
    has_engineer = ENGINEER in game.ground.book.posts
    return View(game.public, seat, *sheets, drawing(enemy.trace) if has_engineer else None)


def agents_of(setup: Setup, terms: Terms) -> tuple[Agent, ...]:
    """All agents."""
    return CREWS if terms.by_crew else tuple(s for crew in CREWS for s in seats_of(setup, crew))


class AskedGame:
    """One game after another, and the agents that are asked in them."""

    def __init__(
        self, setup: Setup, dice: Dice, terms: Terms = USUAL, *, again: bool = True
    ) -> None:
        self.setup, self.dice, self.terms = setup, dice, terms
        self.again = again
        """Whether a game that is over gives way to a new one at once."""
        self.agents = agents_of(setup, terms)
        self.real_time = setup.mode is Mode.REAL_TIME
        self.rewards, self.ended = (0, 0), GOES_ON
        self.asked: list[int] = []
        """The agents that act next, by their places: one, or in real time all."""
        self.offers: list[set[int]] = []
        """What each of them is offered; waiting is action 0."""
        self.begin()
        self.look()

    def begin(self) -> None:
        """A new game."""
        self.game = new_game(self.setup)
        self.memory = observation.Memory(self.setup)
        self.given = self.paused = 0
        self.waited: set[int] = set()
        self.fresh = False
        followed = CREWS if self.terms.belief else ()
        self.beliefs = {crew: Belief(self.game.ground, crew) for crew in followed}
        """About each crew, as everyone may know it."""
        if self.game.public.first is None and not self.real_time:
            self.rule(say.DrawFirst(CREWS[self.dice.next() >> 63]))

    def step(self, chosen: Sequence[int]) -> None:
        """Take an action of each agent that is asked."""
        for place, action, offer in zip(self.asked, chosen, self.offers, strict=True):
            if action not in offer:
                raise ValueError(f"action {action} is not offered to agent {place}")
        self.rewards, self.ended = (0, 0), GOES_ON
        if self.real_time:
            self.tick(chosen)
        else:
            self.order(self.asked[0], chosen[0])
        self.settle()
        if self.ended and not self.again:
            self.asked, self.offers = [], []
            return
        if self.ended:
            self.begin()
        self.look()

    def order(self, place: int, action: int) -> None:
        """Turn by turn: the one agent orders or waits."""
        if action == WAIT:
            self.waited.add(place)
            return
        self.give(self.agents[place], action)
        self.given += 1

    def tick(self, chosen: Sequence[int]) -> None:
        """Real time: all order or wait, one after another by lot."""
        turn = list(range(len(self.agents)))
        for left in range(len(turn), 1, -1):
            drawn = self.dice.below(left)
            turn[left - 1], turn[drawn] = turn[drawn], turn[left - 1]
        changed = False
        for place in turn:
            agent, action = self.agents[place], chosen[place]
            if action != WAIT and (not changed or action in allowed(self.game, agent)):
                self.give(agent, action)
                changed = True
        self.resume()
        self.given += 1

    def resume(self) -> None:
        """The referee ends a stop when nothing more is awaited and the pause is over."""
        if BLOCKS["resume"].start not in allowed(self.game, REFEREE):
            self.paused = 0
            return
        self.paused += 1
        if self.paused > self.terms.pause:
            self.rule(say.RESUME)
            self.paused = 0

    def give(self, agent: Agent, action: int) -> None:
        """Carry out an order of the agent, or of the seat of a crew that may give it."""
        order = order_of(self.setup, action)
        assert order is not None  # noqa: S101 (waiting does not come here)
        if isinstance(agent, Crew):
            *others, last = seats_of(self.setup, agent)
            agent = next((seat for seat in others if action in allowed(self.game, seat)), last)
        self.happen(decide(self.game, agent, order))

    def rule(self, order: say.AnyOrder) -> None:
        """Carry out an order of the referee."""
        self.happen(decide(self.game, REFEREE, order))

    def happen(self, events: Sequence[AnyEvent]) -> None:
        self.game = apply_all(self.game, events)
        said = [news for event in events if (news := announce(event)) is not None]
        for news in said:
            self.memory.hear(news)
        self.fresh, self.waited = bool(said), set()
        for belief in self.beliefs.values() if said else ():
            for news in said:
                belief.hear(news)
            belief.settle()

    def settle(self) -> None:
        """Find out whether the game is over, or has lasted too long."""
        result = self.game.public.result
        if result is None and self.given < self.terms.limit:
            return
        self.ended = GAME_OVER if result else CUT_SHORT
        if result is not None and result.winner is not None:
            self.rewards = (1, -1) if result.winner is CREW_A else (-1, 1)

    # Who is asked

    def look(self) -> None:
        """Find the agents that act next, and what they are offered."""
        if self.real_time:
            self.asked = list(range(len(self.agents)))
            self.offers = [{WAIT, *self.offered(place)} for place in self.asked]
        else:
            place, may_wait = self.ask()
            self.asked = [place]
            self.offers = [self.offered(place) | ({WAIT} if may_wait else set())]

    def offered(self, place: int) -> set[int]:
        """What an agent may order."""
        found = allowed(self.game, self.agents[place])
        if self.terms.everything:
            return found
        found -= NOT_TO_PLAY_ON
        return found.difference(PLACES) if DIVE in found else found

    def ask(self) -> tuple[int, bool]:
        """Turn by turn: who is asked, and whether they may wait.

        After an announcement the other crew comes first and may trigger a mine. In a crew the
        captain comes last; who has others after them may wait.
        """
        public = self.game.public
        crew = self.crew_to_act()
        if self.fresh and public.awaited is None and public.phase == "playing":
            for place in self.willing(crew.other):
                return place, True
        candidates = list(self.willing(crew))
        return candidates[0], len(candidates) > 1

    def willing(self, crew: Crew) -> Iterator[int]:
        """The crew's agents that have anything to order and have not waited, the last one first."""
        for place in reversed(range(len(self.agents))):
            agent = self.agents[place]
            of_crew = (agent if isinstance(agent, Crew) else agent.crew) is crew
            if of_crew and place not in self.waited and self.offered(place):
                yield place

    def crew_to_act(self) -> Crew:
        """The crew that play waits for."""
        public = self.game.public
        if public.phase == "placing":
            return CREW_B if public.dived.a else CREW_A
        if public.awaited is not None:
            return public.awaited.crew
        return public.turn.crew if public.turn else CREW_A

    # What they see

    def mask(self, row: int) -> list[int]:
        """The offers of a row as 0 and 1."""
        return [int(action in self.offers[row]) for action in range(actions.COUNT)]

    def planes(self, row: int) -> list[Points]:
        """The planes of a row's observation, as sets of points."""
        agent = self.agents[self.asked[row]]
        return self.planes_of(seen(self.game, agent), agent)

    def planes_of(self, view: View, agent: Agent) -> list[Points]:
        """The planes of an agent's observation, whose view this is."""
        planes = observation.planes(self.game.ground, view)
        if not self.terms.belief:
            return planes
        crew = agent if isinstance(agent, Crew) else agent.crew
        return [*planes, self.beliefs[crew.other].possible, self.beliefs[crew].possible]

    def vector(self, row: int) -> bytes:
        """The vector of a row's observation."""
        agent = self.agents[self.asked[row]]
        return observation.vector(self.game.ground, seen(self.game, agent), self.memory)
