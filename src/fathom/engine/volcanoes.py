"""The volcanoes of Delta-2, which every weapon wakes (scenario.volcanoes)."""

from fathom.engine.blasts import Explosion, explode
from fathom.engine.events import GameEnded, VolcanoNamed, VolcanoStirred
from fathom.engine.game import Game
from fathom.engine.history import apply_all
from fathom.engine.orders import NameVolcano
from fathom.engine.public import LAST_VOLCANO_EVENT
from fathom.engine.refusals import Refused
from fathom.engine.tempo import Events, losing, not_over
from fathom.words import Crew


def stir(game: Game, crew: Crew, events: Events) -> Events:
    """``events``, and the volcano event that they bring about when the gauge is full."""
    if not game.ground.volcano_gauge or isinstance(events[-1], GameEnded):
        return events
    after = apply_all(game, events)
    number = after.public.volcano_events + 1
    if after.public.volcano_marks[crew] < game.ground.volcano_gauge or number > LAST_VOLCANO_EVENT:
        return events
    stirred: Events = [*events, VolcanoStirred(crew, number)]
    if number > 1:
        return stirred
    eruption = [Explosion(volcano, "volcano", None) for volcano in game.ground.volcanoes]
    return stirred + explode(after, eruption, crew)


def name_volcano(game: Game, crew: Crew, order: NameVolcano) -> Events:
    """The captain names the volcano that smokes or flows."""
    not_over(game)
    awaited = game.public.awaited
    if awaited is None or awaited.what != "volcano" or awaited.crew is not crew:
        raise Refused("scenario.volcanoes")
    if not 1 <= order.volcano <= len(game.ground.volcanoes):
        raise Refused("scenario.volcanoes")
    if game.public.volcano_events < LAST_VOLCANO_EVENT:
        return [VolcanoNamed(crew, order.volcano, "smoke")]
    lava = game.ground.lava[order.volcano - 1]
    lost = game.boats.map(lambda boat: bool(lava >> boat.helm.at & 1))
    return [VolcanoNamed(crew, order.volcano, "lava"), *losing(game, lost, crew)]
