"""Explosions, wave by wave, and what they do."""

from typing import Literal, NamedTuple

from msgspec.structs import replace

from fathom.engine.action import ABOARD, EVERYONE, EventRules, line
from fathom.engine.base import Event, Events
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.ending import sinking
from fathom.engine.game import Game, Helm, Public
from fathom.engine.sheet_changes import without_mines
from fathom.points import Point, Points, bits, blast
from fathom.words import CAPTAIN, CREWS, ByCrew, Crew

Hit = Literal["direct", "indirect", "miss"]
Source = Literal["torpedo", "mine", "old-mine", "volcano"]


class Exploded(Event, frozen=True, tag="exploded"):
    """Something exploded, and what it did to each crew."""

    at: Point
    source: Source
    owner: Crew | None
    """Whose mine or torpedo it was."""
    hits: ByCrew[Hit]
    damage: ByCrew[int]


class MineDestroyed(Event, frozen=True, tag="mine-destroyed"):
    """A mine of ``crew`` was destroyed without exploding (blast.mine-destroyed)."""

    crew: Crew
    at: Point


class OldMineDestroyed(Event, frozen=True, tag="old-mine-destroyed"):
    """An old mine was destroyed without exploding."""

    at: Point


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


# What they do to sheets and table


def see_explosion(helm: Helm, event: Exploded, ground: CompiledSetup, crew: Crew) -> Helm:
    if event.source != "mine" or event.owner is not crew:
        return helm
    return without_mines(helm, 1 << event.at)


def lose_mine(helm: Helm, event: MineDestroyed, ground: CompiledSetup, crew: Crew) -> Helm:
    return without_mines(helm, 1 << event.at)


def take_damage(public: Public, event: Exploded, ground: CompiledSetup) -> Public:
    was, new = public.damage, event.damage
    public = replace(public, damage=ByCrew(was.a + new.a, was.b + new.b))
    return lose_old_mine(public, event, ground) if event.source == "old-mine" else public


def lose_old_mine(
    public: Public, event: OldMineDestroyed | Exploded, ground: CompiledSetup
) -> Public:
    return replace(public, old_mines=public.old_mines & ~(1 << event.at))


EVENTS = (
    EventRules(
        event=Exploded,
        heard=EVERYONE,
        either={"helm": see_explosion},
        public=take_damage,
        lines=(
            line("torpedo of {owner:crew} explodes on {at:point}: {toll}", source="torpedo"),
            line("mine of {owner:crew} explodes on {at:point}: {toll}", source="mine"),
            line("old mine explodes on {at:point}: {toll}", source="old-mine", owner=None),
            line("volcano explodes on {at:point}: {toll}", source="volcano", owner=None),
        ),
    ),
    EventRules(
        event=MineDestroyed,
        heard=ABOARD,
        own={"helm": lose_mine},
        post=CAPTAIN,
        lines=(line("mine of {crew} on {at:point} is destroyed"),),
    ),
    EventRules(
        event=OldMineDestroyed,
        heard=EVERYONE,
        public=lose_old_mine,
        lines=(line("old mine on {at:point} is destroyed"),),
    ),
)
