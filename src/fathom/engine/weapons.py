"""Mines, torpedoes and what explodes because of them."""

from fathom.engine.blasts import Explosion, explode
from fathom.engine.events import MineLaid, MineTriggered, OldMineDetonated, TorpedoFired
from fathom.engine.game import Boat, Game
from fathom.engine.orders import DetonateOldMine, FireTorpedo, LayMine, TriggerMine
from fathom.engine.refusals import Refused, heed
from fathom.engine.seaway import on_sea
from fathom.engine.systems import failure, may_activate, usable
from fathom.engine.tempo import Events, held_up_by, outside_play
from fathom.engine.volcanoes import stir
from fathom.points import Points, blast, reach
from fathom.words import MINE, SCENARIO, TORPEDO, Crew


def lay_mine(game: Game, crew: Crew, order: LayMine) -> Events:
    """Lay a mine next to the submarine (mine.lay)."""
    usable(game, crew, MINE)
    on_sea(game, order.at)
    if game.public.old_mines >> order.at & 1:
        raise Refused("scenario.old-mines")
    if not mine_points(game, crew) >> order.at & 1:
        raise Refused("mine.lay")
    if failed := failure(game, crew, MINE):
        return failed
    return stir(game, crew, [MineLaid(crew, order.at)])


def mine_points(game: Game, crew: Crew) -> Points:
    """Where this crew may lay a mine: next to it, sea, off its route, no mine of its own there."""
    helm = game.boats[crew].helm
    taken = helm.covered | helm.mines | game.public.old_mines | game.public.lava
    return blast(1 << helm.at) & game.ground.water & ~taken


def fire_torpedo(game: Game, crew: Crew, order: FireTorpedo) -> Events:
    """Fire on a point in reach (torpedo.range, torpedo.sector)."""
    usable(game, crew, TORPEDO)
    on_sea(game, order.target)
    if not torpedo_points(game, crew) >> order.target & 1:
        by_steps = game.ground.book.torpedo_reach == "steps"
        raise Refused("torpedo.range" if by_steps else "torpedo.sector")
    if failed := failure(game, crew, TORPEDO):
        return failed
    events: Events = [TorpedoFired(crew, order.target)]
    events += explode(game, [Explosion(order.target, "torpedo", crew)], crew)
    return stir(game, crew, events)


def torpedo_points(game: Game, crew: Crew) -> Points:
    """The points that a torpedo reaches."""
    ground, at = game.ground, game.boats[crew].helm.at
    sea = ground.water & ~game.public.lava
    if ground.book.torpedo_reach == "sector":
        inside = ground.sector_points[ground.sectors[at]] & sea
    else:
        way = ground.chart_points if ground.book.torpedo_over_islands else sea
        inside = reach(1 << at, ground.book.torpedo_range, way) & sea
    return inside if ground.book.torpedo_own_point else inside & ~(1 << at)


def trigger_mine(game: Game, crew: Crew, order: TriggerMine) -> Events:
    """Set off an armed mine of one's own (mine.trigger)."""
    boat = game.boats[crew]
    heed(trigger_hindrance(game, crew, boat))
    helm = boat.helm
    if not helm.mines >> order.at & 1:
        raise Refused("mine.trigger")
    if helm.unarmed >> order.at & 1:
        raise Refused("mine.armed")
    triggered: Events = [MineTriggered(crew, order.at)]
    return triggered + explode(game, [Explosion(order.at, "mine", crew)], crew)


def trigger_hindrance(game: Game, crew: Crew, boat: Boat) -> str:
    """The rule that keeps a crew from triggering a mine now."""
    public, book = game.public, game.ground.book
    if public.phase != "playing" or public.stop is not None or public.awaited is not None:
        return outside_play(game) or held_up_by(game)
    if public.surfaced[crew] and not book.trigger_while_surfaced:
        return "surface.idle" if game.ground.real_time else "surface.turns"
    turn = public.turn
    if turn is not None and turn.crew is not crew and not turn.announced:
        return "mine.trigger"
    red = boat.engine.crossed & game.ground.weapon_symbols
    return "mine.circuits" if red and book.trigger_needs_circuits else ""


def detonate_old_mine(game: Game, crew: Crew, order: DetonateOldMine) -> Events:
    """Set off an old mine with the scenario system (scenario.old-mines)."""
    if game.ground.chart.special != "old-mines":
        may_activate(game, crew)
        raise Refused("scenario.old-mines")
    usable(game, crew, SCENARIO)
    if not game.public.old_mines >> order.at & 1:
        raise Refused("scenario.old-mines")
    if failed := failure(game, crew, SCENARIO):
        return failed
    detonated: Events = [OldMineDetonated(crew, order.at)]
    return detonated + explode(game, [Explosion(order.at, "old-mine", None)], crew)
