"""Turn by turn: seats are asked one after another."""

from collections.abc import Iterator
from typing import Final

from fathom.arena.table import BotTable, Lost, SeatedBot
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.words import CREW_A, CREWS, Crew, Seat

PATIENCE: Final = 4
"""How often a whole crew may be asked in vain when play waits for it."""


def play_in_turns(table: BotTable) -> None:
    """The whole game."""
    if table.game.public.first is None:
        table.rule(give.DrawFirst(table.dice.choice(CREWS)))
    while table.game.public.phase != "over":
        table.within_limits()
        table.give(*next_order(table))


def next_order(table: BotTable) -> tuple[SeatedBot, AnyOrder]:
    """The first order that anyone wants to give."""
    for _ in range(PATIENCE):
        for place in asked(table):
            order = table.ask(place)
            if order is not None:
                return place, order
        table.announced = False
    what = "play waits for this crew, and nobody in it orders anything"
    raise Lost(Seat(crew_to_act(table), 0), "no-order", what)


def asked(table: BotTable) -> Iterator[SeatedBot]:
    """Who is asked, and in which order; the enemy's mines come first, once an announcement."""
    if table.game.public.phase == "placing":
        yield from table.places
        return
    crew = crew_to_act(table)
    if table.announced and table.game.public.awaited is None:
        yield from table.by_crew[crew.other]
    # Captains come last, so that the others' marks and warnings are made by then.
    yield from reversed(table.by_crew[crew])


def crew_to_act(table: BotTable) -> Crew:
    """The crew that play waits for."""
    public = table.game.public
    if public.awaited is not None:
        return public.awaited.crew
    if public.turn is not None:
        return public.turn.crew
    return next((crew for crew in CREWS if not public.dived[crew]), CREW_A)
