"""How games end, and the damage that ends them."""

from typing import Literal

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Ending, Engine, Game, Public, Result
from fathom.words import CREW_A, CREW_B, ByCrew, Crew

Cause = Literal["breakdown", "ice"]


class Damaged(Event, frozen=True, tag="damaged"):
    """A submarine took damage other than by an explosion (damage.announced)."""

    crew: Crew
    amount: int
    cause: Cause


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game is over; no winner means a draw."""

    winner: Crew | None
    why: Ending


def sinking(game: Game, events: Events, by: Crew) -> Events:
    """The end, if ``events`` sink somebody (end.sunk, end.draw)."""
    taken = [taken_by(event) for event in events]
    was, limit = game.public.damage, game.ground.sinks_at
    a, b = was.a + sum(hurt.a for hurt in taken), was.b + sum(hurt.b for hurt in taken)
    return losing(game, ByCrew(a >= limit, b >= limit), by)


NO_DAMAGE = ByCrew(0, 0)


def taken_by(event: Event) -> ByCrew[int]:
    """The damage that an event does to each crew."""
    if isinstance(event, Damaged):
        return NO_DAMAGE.put(event.crew, event.amount)
    damage: ByCrew[int] = getattr(event, "damage", NO_DAMAGE)
    return damage


def losing(game: Game, lost: ByCrew[bool], by: Crew) -> Events:
    """The end of the game when these crews are destroyed in one step."""
    if lost.a and lost.b and game.ground.book.draw:
        return [GameEnded(None, "end.draw")]
    if lost.a and lost.b:
        return [GameEnded(by.other, "end.sunk")]
    if lost.a or lost.b:
        return [GameEnded(CREW_B if lost.a else CREW_A, "end.sunk")]
    return []


# What they do


def damaged(public: Public, event: Damaged, ground: CompiledSetup) -> Public:
    damage = public.damage[event.crew] + event.amount
    return replace(public, damage=public.damage.put(event.crew, damage))


def erase_after_damage(engine: Engine, event: Damaged, ground: CompiledSetup, crew: Crew) -> Engine:
    return Engine() if event.cause == "breakdown" else engine


def game_ended(public: Public, event: GameEnded, ground: CompiledSetup) -> Public:
    result = Result(event.winner, event.why)
    return replace(public, phase="over", stop=None, awaited=None, result=result)


EVENTS = (
    EventRules(
        event=Damaged,
        heard=EVERYONE,
        own={"engine": erase_after_damage},
        public=damaged,
        lines=(line("{crew} takes {amount:number} damage from {cause}"),),
    ),
    EventRules(
        event=GameEnded,
        heard=EVERYONE,
        public=game_ended,
        awaits=True,
        lines=(line("nobody wins ({why})", winner=None), line("{winner:crew} wins ({why})")),
    ),
)
