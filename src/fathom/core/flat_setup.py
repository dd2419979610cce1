"""The set-up as plain numbers: all that the core knows of the rules, derived in this one place."""

from functools import lru_cache
from typing import Final

from fathom.core import codes
from fathom.core.actions import SECTORS, SYMBOLS, VOLCANOES
from fathom.core.codes import NONE, crew_code, words_of
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import ground_for
from fathom.engine.knowledge.view import sees
from fathom.rules.setup import Setup
from fathom.words import CREWS, HEADINGS, Crew, Seat

Flat = dict[str, object]
SEATS: Final = 4
"""A crew has no more seats than these."""
SHEETS: Final = ("duty", "helm", "gauges", "engine", "radio", "trace")
"""The sheets of a crew; which of them a seat sees is a set of bits in this order."""
MOST_ENERGY: Final = 15
CIRCUITS: Final = len(SYMBOLS) // 4


class NotForTheCore(ValueError):
    """A set-up that the core has no room for."""


def flat_setup(setup: Setup) -> Flat:
    """Every value of the set-up that the core reads, by the name that it has there."""
    ground = ground_for(setup)
    check(ground)
    return {**sea(ground), **sheet(ground), **gauges(ground), **seats(ground), **book(ground)}


def check(ground: CompiledSetup) -> None:
    """The set-up fits into the action table."""
    if ground.chart.sector_count > SECTORS:
        raise NotForTheCore(f"the core knows {SECTORS} sectors, not {ground.chart.sector_count}")
    if len(ground.volcanoes) > VOLCANOES:
        raise NotForTheCore(f"the core knows {VOLCANOES} volcanoes, not {len(ground.volcanoes)}")
    for name in ground.symbols:
        if name not in SYMBOLS:
            raise NotForTheCore(f"the core knows no symbol {name!r} on an engineer's sheet")


def sea(ground: CompiledSetup) -> Flat:
    """The chart and its special points."""
    chart, none = ground.chart, (0, 0, 0, 0)
    volcanoes = [int(point) for point in ground.volcanoes]
    lava = [words_of(points) for points in ground.lava]
    missing = VOLCANOES - len(volcanoes)
    return {
        "across": chart.across,
        "down": chart.down,
        "sectors_across": chart.sectors_across,
        "sector_count": chart.sector_count,
        "special": codes.SPECIALS.index(chart.special),
        "chart_points": words_of(ground.chart_points),
        "water": words_of(ground.water),
        "old_mines": words_of(ground.old_mines),
        "thin_ice": words_of(ground.thin_ice),
        "finish": words_of(ground.finish),
        "starts": [int(point) for point in chart.starts] if chart.starts else [NONE, NONE],
        "volcano_count": len(volcanoes),
        "volcanoes": volcanoes + [0] * missing,
        "lava": lava + [none] * missing,
        "repair_at": [words_of(points) for points in ground.repair_at],
    }


def slot_bits(ground: CompiledSetup, places: int) -> int:
    """A set of a sheet's symbols as bits in the order of the action table."""
    return _slots(ground.symbol_names, places)


@lru_cache(4096)
def _slots(names: tuple[str, ...], places: int) -> int:
    return sum(1 << SYMBOLS.index(n) for place, n in enumerate(names) if places >> place & 1)


def place_bits(ground: CompiledSetup, slots: int) -> int:
    """The same set as bits in the order of the sheet."""
    return sum(1 << p for p, n in enumerate(ground.symbol_names) if slots >> SYMBOLS.index(n) & 1)


def sheet(ground: CompiledSetup) -> Flat:
    """The engineer's sheet, as sets of symbols."""
    circuits = list(ground.circuits.values())
    names = list(ground.circuits)
    circuit_of = {
        symbol: names.index(circuit)
        for symbol, circuit in zip(ground.symbol_names, ground.circuit_of, strict=True)
        if circuit is not None
    }
    masks = [slot_bits(ground, mask) for mask in circuits]
    return {
        "panels": [slot_bits(ground, ground.panels[heading.value]) for heading in HEADINGS],
        "panel_of": [slot_bits(ground, ground.panels[symbol[0]]) for symbol in SYMBOLS],
        "circuits": masks + [0] * (CIRCUITS - len(masks)),
        "circuit_of": [circuit_of.get(symbol, NONE) for symbol in SYMBOLS],
        "radiation": slot_bits(ground, ground.radiation),
        "all_symbols": slot_bits(ground, ground.all_symbols),
        "colours": [slot_bits(ground, symbols) for symbols, _ in ground.colours],
        "broken_by": [systems for _, systems in ground.colours],
    }


def gauges(ground: CompiledSetup) -> Flat:
    """What is charged, and what it costs."""
    affordable = [*ground.affordable, *[0] * (MOST_ENERGY - len(ground.affordable))]
    return {
        "boxes": ground.boxes,
        "gauged": ground.gauged,
        "volcano_gauge": ground.volcano_gauge,
        "energy": ground.energy,
        "costs": ground.costs,
        "affordable": affordable,
        "systems": ground.systems,
        "in_service": ground.in_service,
    }


def seats(ground: CompiledSetup) -> Flat:
    """Who holds which posts, and what each seat may use and see."""
    return {
        "seat_count": [len(ground.posts[crew]) for crew in CREWS],
        "posts": [_by_seat([posts for posts, _ in ground.held[crew]]) for crew in CREWS],
        "held": [_by_seat([systems for _, systems in ground.held[crew]]) for crew in CREWS],
        "sees": [_by_seat(_seen(ground, crew)) for crew in CREWS],
        "engineer_seat": [ground.engineer_seat[crew] for crew in CREWS],
    }


def _by_seat(values: list[int]) -> list[int]:
    return values + [0] * (SEATS - len(values))


def _seen(ground: CompiledSetup, crew: Crew) -> list[int]:
    """For each seat the sheets that it sees, as bits."""
    return [
        sum(1 << bit for bit, name in enumerate(SHEETS) if sees(ground, Seat(crew, number), name))
        for number in range(len(ground.posts[crew]))
    ]


def book(ground: CompiledSetup) -> Flat:
    """What the rulebook and the table say."""
    rules, house = ground.book, ground.house
    return {
        "real_time": ground.real_time,
        "first": crew_code(ground.setup.first),
        "surfacing": codes.SURFACINGS.index(ground.pace.surfacing),
        "sinks_at": ground.sinks_at,
        "blast_direct": rules.blast_direct,
        "blast_near": ground.near,
        "blast_self": rules.blast_self,
        "blast_chain": rules.blast_chain,
        "draw": rules.draw,
        "acknowledge": rules.acknowledge,
        "acknowledge_systems": rules.acknowledge_systems,
        "whole_turn": rules.activations == "whole-turn",
        "system_after_dive": rules.system_after_dive,
        "blackout_systems": rules.blackout_systems,
        "own_mine_blocks": rules.own_mine_blocks,
        "old_mine_blocks": rules.old_mine_blocks,
        "broken_refused": rules.broken_system == "refused",
        "repair_first": rules.repair_first,
        "armed_at_once": rules.mine_armed == "at-once",
        "trigger_needs_circuits": rules.trigger_needs_circuits,
        "trigger_while_surfaced": rules.trigger_while_surfaced,
        "torpedo_by_sector": rules.torpedo_reach == "sector",
        "torpedo_range": rules.torpedo_range,
        "torpedo_over_islands": rules.torpedo_over_islands,
        "torpedo_own_point": rules.torpedo_own_point,
        "answer_truly": rules.sonar_answer == "one-true",
        "silence_least": rules.silence_least,
        "silence_most": rules.silence_most,
        "silence_charges": rules.silence_charges,
        "silence_zero_charges": rules.silence_zero_charges,
        "silence_zero_marks": rules.silence_zero_marks,
        "silence_is_course": rules.silence_is_course,
        "surfacing_tells_point": rules.surfacing_tells == "point",
        "surfacing_turns": rules.surfacing_turns,
        "captain_resumes": rules.resume == "captain",
        "quick_ends": house.quick_ends,
        "enemy_judges_trace": house.trace_judge == "enemy-engineer",
        "redo_whole_trace": house.trace_redo == "all",
    }
