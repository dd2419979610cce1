"""Explosions, wave by wave, and what they do."""

from typing import NamedTuple

from fathom.engine.events import Exploded, Hit, MineDestroyed, OldMineDestroyed, Source
from fathom.engine.game import Game
from fathom.engine.tempo import Events, sinking
from fathom.points import Point, Points, bits, blast
from fathom.words import CREWS, ByCrew, Crew


class Explosion(NamedTuple):
    """What explodes where, and whose it is."""

    at: Point
    source: Source
    owner: Crew | None


def explode(game: Game, wave: list[Explosion], by: Crew) -> Events:
    """All that explodes, wave by wave, until nothing does or somebody sinks (blast.chain)."""
    events: Events = []
    mines, old_mines = game.boats.map(lambda boat: boat.helm.mines), game.public.old_mines
    while wave:
        here = sum({1 << explosion.at for explosion in wave})
        mines, old_mines = without(wave, mines, old_mines)
        events += [exploded(game, explosion) for explosion in wave]
        events += destroyed(mines, old_mines, here)
        mines, old_mines = mines.map(lambda held: held & ~here), old_mines & ~here  # noqa: B023
        if end := sinking(game, events, by):
            return events + end
        near = blast(here) if game.ground.book.blast_chain else 0
        wave = set_off(mines, old_mines, near)
    return events


def without(
    wave: list[Explosion], mines: ByCrew[Points], old_mines: Points
) -> tuple[ByCrew[Points], Points]:
    """The mines that are left when those of the wave are gone."""
    for explosion in wave:
        gone = 1 << explosion.at
        if explosion.source == "mine" and explosion.owner is not None:
            mines = mines.put(explosion.owner, mines[explosion.owner] & ~gone)
        elif explosion.source == "old-mine":
            old_mines &= ~gone
    return mines, old_mines


def destroyed(mines: ByCrew[Points], old_mines: Points, here: Points) -> Events:
    """Mines that an explosion on their own point destroys without their exploding."""
    lost: Events = [
        MineDestroyed(crew, Point(at)) for crew in CREWS for at in bits(mines[crew] & here)
    ]
    lost += [OldMineDestroyed(Point(at)) for at in bits(old_mines & here)]
    return lost


def set_off(mines: ByCrew[Points], old_mines: Points, near: Points) -> list[Explosion]:
    """The mines next to an explosion: the next wave."""
    own = [Explosion(Point(at), "mine", crew) for crew in CREWS for at in bits(mines[crew] & near)]
    return own + [Explosion(Point(at), "old-mine", None) for at in bits(old_mines & near)]


def exploded(game: Game, explosion: Explosion) -> Exploded:
    """What one explosion does to each crew (blast.direct, blast.near, blast.miss)."""
    hits = ByCrew.of(lambda crew: hit(game, explosion, crew))
    amounts = {"direct": game.ground.book.blast_direct, "indirect": game.ground.near, "miss": 0}
    damage = hits.map(lambda kind: amounts[kind])
    return Exploded(explosion.at, explosion.source, explosion.owner, hits, damage)


def hit(game: Game, explosion: Explosion, crew: Crew) -> Hit:
    """How an explosion hits a crew's submarine; its own weapon hits too (blast.self)."""
    if explosion.owner is crew and not game.ground.book.blast_self:
        return "miss"
    at = game.boats[crew].helm.at
    if at == explosion.at:
        return "direct"
    near = game.ground.near and blast(1 << at) >> explosion.at & 1
    return "indirect" if near else "miss"
