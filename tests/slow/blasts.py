"""Explosions, the waves that they set off, and volcanoes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fathom.engine.events import (
    Exploded,
    Hit,
    MineDestroyed,
    OldMineDestroyed,
    Source,
    VolcanoNamed,
    VolcanoStirred,
)
from fathom.words import ByCrew, Crew
from tests.slow.sea import ColumnRow, around, point_of

if TYPE_CHECKING:
    from tests.slow.twin import Twin


@dataclass(frozen=True)
class Blast:
    """Something that explodes."""

    at: ColumnRow
    source: Source
    owner: Crew | None


def explode(twin: Twin, wave: list[Blast]) -> None:
    """Explosions wave by wave; a wave is settled whole before the next (blast.chain)."""
    while wave:
        for blast in wave:
            hit_the_boats(twin, blast)
        for blast in wave:
            destroy_mines(twin, blast.at)
        twin.sink_the_damaged()
        # After the wave that sinks a submarine later waves don't happen.
        chain = twin.book.blast_chain and twin.phase == "playing"
        wave = set_off(twin, wave) if chain else []


def hit_the_boats(twin: Twin, blast: Blast) -> None:
    """Each explosion does its own damage, to the firer too (blast.direct to blast.self)."""
    hits = {crew: hit_on(twin, crew, blast) for crew in Crew}
    harm = {"direct": twin.book.blast_direct, "indirect": twin.book.blast_near, "miss": 0}
    for crew in Crew:
        twin.boats[crew].damage += harm[hits[crew]]
    twin.said.append(
        Exploded(
            at=point_of(blast.at),
            source=blast.source,
            owner=blast.owner,
            hits=ByCrew(hits[Crew.A], hits[Crew.B]),
            damage=ByCrew(harm[hits[Crew.A]], harm[hits[Crew.B]]),
        )
    )


def hit_on(twin: Twin, crew: Crew, blast: Blast) -> Hit:
    """On the point, next to it, or a miss; where near does no harm it is a miss."""
    place = twin.boats[crew].place
    if place == blast.at:
        return "direct"
    return "indirect" if place in around(blast.at) and twin.book.blast_near else "miss"


def destroy_mines(twin: Twin, at: ColumnRow) -> None:
    """Other mines on the point are gone without exploding (blast.mine-destroyed)."""
    # A mine's end is told to its owner only, an old mine's to all.
    for crew in Crew:
        if at in twin.boats[crew].mines:
            forget_mine(twin, crew, at)
            twin.told.append(MineDestroyed(crew, point_of(at)))
    if at in twin.old_mines:
        twin.old_mines.discard(at)
        twin.said.append(OldMineDestroyed(point_of(at)))


def set_off(twin: Twin, wave: list[Blast]) -> list[Blast]:
    """Every mine next to one of these explosions, taken off the chart to explode next."""
    near = by_rows(set().union(*(around(blast.at) for blast in wave)))
    # A wave goes off at once: the order in which it is told means nothing.
    following = [
        Blast(place, "mine", crew)
        for crew in Crew
        for place in near
        if place in twin.boats[crew].mines
    ]
    following += [Blast(place, "old-mine", None) for place in near if place in twin.old_mines]
    for place in near:
        twin.old_mines.discard(place)
        for crew in Crew:
            forget_mine(twin, crew, place)
    return following


def by_rows(places: set[ColumnRow]) -> list[ColumnRow]:
    """The places from north to south, each row from west to east."""
    return sorted(places, key=lambda place: (place[1], place[0]))


def forget_mine(twin: Twin, crew: Crew, place: ColumnRow) -> None:
    """The crew has no mine there any more."""
    twin.boats[crew].mines.discard(place)
    twin.boats[crew].unarmed.discard(place)


# What weapons wake (scenario.volcanoes)


def weapon_used(twin: Twin, crew: Crew) -> None:
    """After the weapon is settled: one mark, and with the third the next event."""
    if twin.sea.special != "volcanoes" or twin.phase != "playing" or twin.volcano_events == 3:
        return
    twin.volcano_marks[crew] += 1
    if twin.volcano_marks[crew] == twin.setup.chart.gauge:
        twin.volcano_marks[crew] = 0
        stir(twin, crew)


def stir(twin: Twin, crew: Crew) -> None:
    """The first event that is not crossed out: eruption, toxic smoke, lava."""
    twin.volcano_events += 1
    twin.smoking = None
    twin.said.append(VolcanoStirred(crew, twin.volcano_events))
    if twin.volcano_events == 1:
        explode(twin, [Blast(place, "volcano", None) for place in twin.sea.volcanoes()])
    else:
        twin.naming_by = crew


def name_volcano(twin: Twin, crew: Crew, number: int) -> None:
    """The named volcano smokes, or its lava flows."""
    twin.naming_by = None
    if twin.volcano_events == 2:
        twin.smoking = number
        twin.said.append(VolcanoNamed(crew, number, "smoke"))
        return
    twin.said.append(VolcanoNamed(crew, number, "lava"))
    flow(twin, twin.sea.red_points(twin.sea.volcanoes()[number - 1]))


def flow(twin: Twin, lava: set[ColumnRow]) -> None:
    """Red points become islands; mines there vanish, submarines there are destroyed."""
    twin.sea.lava = lava
    twin.old_mines -= lava
    for boat in twin.boats.values():
        boat.mines -= lava
        boat.unarmed -= lava
    twin.sink({crew for crew, boat in twin.boats.items() if boat.place in lava})
