"""What pictures for links are drawn from: a table's chart, and a finished game.

They are drawn in a process of its own; only that loads what draws.
"""

from typing import Final

from fathom.engine.apply import apply_all
from fathom.engine.game import DOCK, Game, new_game
from fathom.rules.chart import Chart
from fathom.rules.setup import BadSetup, Choices, choose_chart
from fathom.server.agreement import own_chart
from fathom.server.duel import EVENTS, HEADERS
from fathom.server.log import StoredGame, StoredStep
from fathom.server.table import find_book
from fathom.server.troubles import Trouble
from fathom.server.wire import Settings
from fathom.words import CREWS, ByCrew, Crew, Mode

PICTURE_SIZE: Final = (1200, 630)
"""What chats and networks show whole."""


def table_chart(settings: Settings) -> Chart:
    """The chart that a table has chosen."""
    own = own_chart(settings)
    if own is not None:
        return own
    book = find_book(settings)
    pace = book.real_time if settings.mode is Mode.REAL_TIME else book.turn_by_turn
    try:
        return choose_chart(Choices(scenario=settings.scenario), book, pace)
    except BadSetup:
        raise Trouble("unknown-scenario", name=(settings.scenario or "")[:40]) from None


def draw_table(chart: Chart, _: list[StoredStep]) -> bytes:
    """A table's chart, empty: the same before, during and after a game."""
    from fathom.server.chart_picture import draw_chart  # noqa: PLC0415

    return draw_chart(chart)


def draw_game(stored: StoredGame, steps: list[StoredStep]) -> bytes:
    """The chart with both routes; only for games that are over."""
    from fathom.server.chart_picture import DrawnRoute, draw_chart  # noqa: PLC0415

    if stored.result is None:
        raise ValueError("the game is not over")
    game, been = sailed(stored, steps)
    result, colours = game.public.result, ByCrew(*game.ground.book.colours)
    routes = tuple(
        DrawnRoute(
            colour=colours[crew],
            points=tuple(been[crew]),
            sunk=result is not None and result.why == "end.sunk" and result.winner is not crew,
        )
        for crew in CREWS
    )
    return draw_chart(game.ground.setup.chart, routes)


def sailed(stored: StoredGame, steps: list[StoredStep]) -> tuple[Game, dict[Crew, list[int]]]:
    """A game as it ended, and where each submarine was after every step."""
    game = new_game(HEADERS.decode(stored.header).setup)
    been: dict[Crew, list[int]] = {crew: [] for crew in CREWS}
    for step in steps:
        game = apply_all(game, EVENTS.decode(step.events))
        for crew in CREWS:
            if not game.public.dived[crew]:
                # Until they dive, captains may choose another start.
                been[crew].clear()
            if game.boats[crew].helm.at != DOCK:
                been[crew].append(game.boats[crew].helm.at)
    return game, been
