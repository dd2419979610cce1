"""What a mark would do is what it does."""

from fathom.engine import orders as give
from fathom.engine.actions.cross_out import Mark, outcomes
from fathom.engine.apply import apply_all
from fathom.engine.events import CircuitMended, Damaged
from fathom.engine.game import Game
from fathom.engine.referee import decide, legal
from fathom.engine.systems import broken
from fathom.words import Heading, Kind, Mode, Post, Seat, System
from tests.engine.duels import NumberedGame, holds_in_duels
from tests.engine.tables import seats
from tests.stories import OPEN_SEA, A, Story, sea, table

COLOUR = {
    System.TORPEDO.bit | System.MINE.bit: Kind.RED,
    System.DRONE.bit | System.SONAR.bit: Kind.GREEN,
    System.SILENCE.bit | System.SCENARIO.bit: Kind.YELLOW,
}
"""What breaks together."""


@holds_in_duels(length=60, few=20, many=3)
def test_every_mark_does_what_was_said(duel: NumberedGame) -> None:
    for step in duel.steps():
        for seat in seats(duel.setup):
            symbols = {
                order.symbol
                for order in legal(step.before, seat)
                if isinstance(order, give.CrossOut) and order.symbol is not None
            }
            foreseen = outcomes(step.before, seat)
            assert foreseen.keys() == symbols
            for symbol, mark in foreseen.items():
                assert mark == done(step.before, seat, symbol), symbol


def done(game: Game, seat: Seat, symbol: str) -> Mark:
    """What happens if the symbol is crossed out."""
    sheet = game.ground.setup.sheet
    assert sheet is not None
    of_panel = {one.name: one.panel for one in sheet.symbols}
    kinds = {one.name: one.kind for one in sheet.symbols}
    events = decide(game, seat, give.CrossOut(symbol))
    for event in events:
        if isinstance(event, CircuitMended):
            return Mark("mends", circuit=event.circuit)
        if isinstance(event, Damaged):
            crossed = game.boats[seat.crew].engine.crossed
            left = [
                name
                for place, name in enumerate(kinds)
                if not crossed >> place & 1 and name != symbol
            ]
            full = of_panel[symbol] not in {of_panel[name] for name in left}
            return Mark("damage", cause="panel" if full else "radiation")
    after = apply_all(game, events)
    new = broken(game.ground, after.boats[seat.crew]) & ~broken(game.ground, game.boats[seat.crew])
    if new:
        return Mark("breaks", kind=COLOUR[new])
    return Mark("radiation" if kinds[symbol] is Kind.RADIATION else "nothing")


def foreseen(*crossed: str, heading: Heading = Heading.W) -> dict[str, Mark]:
    """The engineer's choices after a course, with these symbols crossed out before it."""
    setup = table(mode=Mode.REAL_TIME, chart=sea(OPEN_SEA), players=8)
    story = Story(setup, "E5", "A1")
    story.cross_out(A, *crossed)
    story.order(A, give.SetCourse(heading))
    return outcomes(story.game, story.seat(A, Post.ENGINEER))


def symbols(*, panel: Heading | None = None, kind: Kind | None = None) -> list[str]:
    sheet = table().sheet
    assert sheet is not None
    return [
        one.name for one in sheet.symbols if panel in (None, one.panel) and kind in (None, one.kind)
    ]


def test_a_symbol_that_fills_its_panel_does_damage() -> None:
    *others, last = symbols(panel=Heading.N)
    assert foreseen(*others, heading=Heading.N) == {last: Mark("damage", cause="panel")}


def test_the_last_radiation_does_damage() -> None:
    *others, last = symbols(kind=Kind.RADIATION)
    sheet = table().sheet
    assert sheet is not None
    panel = next(one.panel for one in sheet.symbols if one.name == last)
    found = foreseen(*others, heading=panel)
    assert found[last] == Mark("damage", cause="radiation")
    assert {name for name, mark in found.items() if mark.does == "damage"} == {last}


def test_a_symbol_that_closes_a_circuit_mends_it() -> None:
    sheet = table().sheet
    assert sheet is not None
    circuit = next(one for one in sheet.symbols if one.circuit)
    others = [
        one.name for one in sheet.symbols if one.circuit == circuit.circuit and one != circuit
    ]
    found = foreseen(*others, heading=circuit.panel)
    assert found[circuit.name] == Mark("mends", circuit=circuit.circuit or "")


def test_the_first_symbol_of_a_colour_breaks_it_and_the_next_does_nothing_more() -> None:
    red, other = (name for name in symbols(kind=Kind.RED) if name[0] == "N")
    found = foreseen(heading=Heading.N)
    assert found[red] == found[other] == Mark("breaks", kind=Kind.RED)
    assert foreseen(red, heading=Heading.N)[other] == Mark("nothing")


def test_only_the_engineer_is_told() -> None:
    story = Story(table(mode=Mode.REAL_TIME, players=8), "H8", "A1")
    story.order(A, give.SetCourse(Heading.N))
    told = [bool(outcomes(story.game, seat)) for seat in seats(story.setup)]
    assert told == [False, False, True, False, False, False, False, False]
