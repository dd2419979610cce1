"""What a seat's observation holds: planes over the chart, and a vector. The core fills the same.

It is made of the seat's view and of the last announcements, so it tells nothing that the seat may
not know. A sheet that the seat may not look at is all zeros.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from fathom.core import codes
from fathom.core.actions import SYMBOLS
from fathom.core.codes import NONE
from fathom.core.events import encode
from fathom.core.flat_setup import slot_bits
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import Exploded, FirstDrawn, GameEnded, PlayBegan, PlayResumed, TurnEnded
from fathom.engine.game import DOCK, Duty, Helm, Public, Trace
from fathom.engine.knowledge.heard import Announcement
from fathom.engine.knowledge.view import View
from fathom.engine.tracing import stays_in_band
from fathom.points import Points
from fathom.rules.setup import Setup
from fathom.words import CREW_A, SYSTEMS, ByCrew, Crew

HEARD: Final = 16
"""How many announcements an observation remembers."""
HEARD_FIELDS: Final = 6
UNHEARD: Final = (FirstDrawn, PlayBegan, PlayResumed, TurnEnded, GameEnded)
"""Announcements that are not remembered: the rest of the observation tells the same."""
NOTHING_HEARD: Final = bytes(HEARD * HEARD_FIELDS)
MOST: Final = 255

PLANES: Final = (
    "sea", "at", "route", "silent", "mines", "unarmed", "old_mines", "thin_ice", "volcanoes",
    "smoke", "finish", "shores",
)  # fmt: skip
BELIEF_PLANES: Final = ("enemy_possible", "own_possible")
"""Two more planes, if they are asked for: where the enemy can be, and where it thinks we can be."""

PLANE_NOTES: Final = {
    "sea": "Sea, lava left out.",
    "at": "The own submarine.",
    "route": "Its route since the last surfacing.",
    "silent": "The part of it that was sailed in silence.",
    "mines": "Its mines.",
    "unarmed": "Those of them that can't be triggered yet.",
    "old_mines": "Old mines.",
    "thin_ice": "Where surfacing costs damage.",
    "volcanoes": "Volcanoes.",
    "smoke": "The sector under toxic smoke.",
    "finish": "Points that win the game.",
    "shores": "Where a system out of service can be repaired.",
    "enemy_possible": "Where the enemy can be, by the exact belief.",
    "own_possible": "Where the enemy knows that the own submarine can be.",
}

VECTOR: Final[dict[str, int]] = {
    "phase": len(codes.PHASES),
    "dived": 2,
    "surfaced": 2,
    "turn": 2,
    "turns_left": 1,
    "sailed": 1,
    "announced": 1,
    "stop": 2,
    "stop_for_marks": 1,
    "answer_awaited": 2,
    "volcano_awaited": 2,
    "damage": 2,
    "in_service_own": len(SYSTEMS),
    "in_service_enemy": len(SYSTEMS),
    "volcano_marks": 2,
    "volcano_events": 1,
    "smoke_volcano": 1,
    "result": 3,
    "charge_due": len(codes.CHARGES),
    "cross_due": len(codes.CROSSINGS),
    "barred": len(codes.BARS),
    "ready": len(SYSTEMS),
    "place": 3,
    "boxes": len(SYSTEMS),
    "energy": 1,
    "crossed": len(SYMBOLS),
    "radio_locked": 1,
    "tracing": 1,
    "sections": 4,
    "trace_good": 1,
    "trace_ready": 1,
    "sheet_in_hand": 1,
    "enemy_tracing": 1,
    "enemy_sections": 4,
    "enemy_trace_good": 1,
    "heard": HEARD * HEARD_FIELDS,
}
"""The vector's parts, each with its number of entries."""
VECTOR_SIZE: Final = sum(VECTOR.values())

VECTOR_NOTES: Final = {
    "phase": "Placing, playing, over: one of them is 1.",
    "dived": "Own and enemy submarine have dived.",
    "surfaced": "Own and enemy submarine are surfaced.",
    "turn": "It is the own crew's turn, or the enemy's.",
    "turns_left": "Turns that follow this one before the other crew's.",
    "sailed": "This turn's course has been set.",
    "announced": "The crew in turn has announced something.",
    "stop": "Play is stopped by the own crew, or the enemy.",
    "stop_for_marks": "The stop lasts until the marks are made.",
    "answer_awaited": "A sonar answer is awaited from the own captain, or the enemy's.",
    "volcano_awaited": "The same for the naming of a volcano.",
    "damage": "Own and enemy damage.",
    "in_service_own": "Own systems in service: mine, torpedo, drone, sonar, silence, scenario.",
    "in_service_enemy": "The enemy's.",
    "volcano_marks": "Own and enemy marks on the volcano gauge.",
    "volcano_events": "Volcano events so far.",
    "smoke_volcano": "The volcano under toxic smoke, from 1.",
    "result": "Won, lost, drawn.",
    "charge_due": "What the first mate owes: none, box, empty.",
    "cross_due": "What the engineer owes: none, N, S, E, W, radiation, empty, any.",
    "barred": "Systems are not barred, barred by system.once, or by surface.then-system.",
    "ready": "Systems whose gauge is full.",
    "place": "Row and column from 1, and sector; 0 before the start is marked.",
    "boxes": "Filled boxes of each gauge.",
    "energy": "Energy, in the family game.",
    "crossed": "Symbols crossed out: W1 to W6, N1 to N6, S1 to S6, E1 to E6.",
    "radio_locked": "The radio operator's sheet is locked.",
    "tracing": "The hull is being traced.",
    "sections": "Each section: 0 not traced, 1 well, 2 badly.",
    "trace_good": "The traced hull was judged good.",
    "trace_ready": "The engineer reported ready to dive.",
    "sheet_in_hand": "This seat holds the engineer's sheet.",
    "enemy_tracing": "The enemy's hull is being traced (for the engineer).",
    "enemy_sections": "Its sections.",
    "enemy_trace_good": "It was judged good.",
    "heard": "The last announcements, the newest first; see below.",
}


class Memory:
    """The last announcements, the newest first, as each crew tells them."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.told = ByCrew(NOTHING_HEARD, NOTHING_HEARD)

    def hear(self, said: Announcement) -> None:
        """Take an announcement in."""
        if isinstance(said, UNHEARD):
            return
        kind, by, *rest = encode(self.setup, said)
        for_a = [kind + 1, 0 if by == NONE else by + 1]
        for_b = [kind + 1, 0 if by == NONE else 2 - by]
        values = [min(value + 1, MOST) for value in rest[: HEARD_FIELDS - 2]]
        turned = values
        if isinstance(said, Exploded):
            at, source, hit_a, hit_b = values
            turned = [at, source, hit_b, hit_a]
        a, b = self.told
        self.told = ByCrew(
            bytes([*for_a, *values]) + a[:-HEARD_FIELDS],
            bytes([*for_b, *turned]) + b[:-HEARD_FIELDS],
        )


def planes(ground: CompiledSetup, view: View) -> list[Points]:
    """The planes as sets of points."""
    public, helm, crew = view.public, view.helm or Helm(), crew_of(view)
    smoke = ground.volcanoes[public.smoke - 1] if public.smoke else None
    disabled = ground.systems & ~public.in_service[crew]
    shores = 0
    for place, points in enumerate(ground.repair_at):
        if disabled >> place & 1:
            shores |= points
    return [
        ground.water & ~public.lava,
        0 if helm.at == DOCK else 1 << helm.at,
        helm.covered,
        helm.silent,
        helm.mines,
        helm.unarmed,
        public.old_mines,
        ground.thin_ice,
        sum(1 << volcano for volcano in ground.volcanoes),
        ground.sector_points[ground.sectors[smoke]] if smoke is not None else 0,
        ground.finish,
        shores,
    ]


def crew_of(view: View) -> Crew:
    """The crew that looks."""
    return view.seat.crew if view.seat else CREW_A


def vector(ground: CompiledSetup, view: View, memory: Memory) -> bytes:
    """The vector."""
    crew, gauges, engine, radio = crew_of(view), view.gauges, view.engine, view.radio
    numbers = [
        *public_part(view.public, crew),
        *duty_part(view.duty),
        *helm_part(ground, view.helm),
        *(gauges.boxes if gauges else NO_GAUGES),
        clipped(gauges.energy) if gauges else 0,
        *flags(slot_bits(ground, engine.crossed) if engine else 0, len(SYMBOLS)),
        radio.locked if radio else 0,
        *(trace_part(ground.setup, view) if view.trace or view.enemy_hull else NO_TRACES),
    ]
    return bytes(numbers) + memory.told[crew]


NO_GAUGES: Final = (0,) * len(SYSTEMS)
NO_TRACES: Final = (0,) * 14
"""Neither the own hull nor the enemy's is being traced."""


def clipped(value: int) -> int:
    """The value, or the most that an entry can hold."""
    return min(MOST, value)


@lru_cache(4096)
def flags(mask: int, size: int) -> tuple[int, ...]:
    """The lowest bits of a mask, one by one."""
    return tuple(mask >> bit & 1 for bit in range(size))


@cache
def one_of(words: tuple[str, ...], word: str) -> tuple[int, ...]:
    """1 for the word, 0 for the others."""
    return tuple(int(each == word) for each in words)


def of_both(crew: Crew, of: Crew | None) -> tuple[int, int]:
    """Whether it is the own crew, or the enemy."""
    return (0, 0) if of is None else (1, 0) if of is crew else (0, 1)


def public_part(public: Public, crew: Crew) -> list[int]:
    """What everyone knows."""
    turn, stop, awaited, result = public.turn, public.stop, public.awaited, public.result
    own_damage, damage = public.damage.sides(crew)
    own_service, service = public.in_service.sides(crew)
    own_marks, marks = public.volcano_marks.sides(crew)
    found = [
        *one_of(codes.PHASES, public.phase),
        *public.dived.sides(crew),
        *public.surfaced.sides(crew),
        *of_both(crew, turn.crew if turn else None),
        *((clipped(turn.left), turn.sailed, turn.announced) if turn else (0, 0, 0)),
        *of_both(crew, stop.by if stop else None),
        stop.marks if stop else 0,
    ]
    for what in codes.AWAITED[1:]:
        found += of_both(crew, awaited.crew if awaited and awaited.what == what else None)
    return [
        *found,
        clipped(own_damage),
        clipped(damage),
        *flags(own_service, len(SYSTEMS)),
        *flags(service, len(SYSTEMS)),
        clipped(own_marks),
        clipped(marks),
        clipped(public.volcano_events),
        public.smoke,
        *of_both(crew, result.winner if result else None),
        result is not None and result.winner is None,
    ]


def duty_part(duty: Duty | None) -> list[int]:
    """What the crew waits for; every seat sees that."""
    duty = duty or Duty()
    return [
        *one_of(codes.CHARGES, duty.charge),
        *one_of(codes.CROSSINGS, duty.cross),
        *one_of(codes.BARS, duty.barred),
        *flags(duty.ready, len(SYSTEMS)),
    ]


def helm_part(ground: CompiledSetup, helm: Helm | None) -> tuple[int, int, int]:
    """Row, column and sector."""
    if helm is None or helm.at == DOCK:
        return 0, 0, 0
    return (helm.at >> 4) + 1, (helm.at & 15) + 1, ground.sectors[helm.at]


def trace_part(setup: Setup, view: View) -> Iterator[int]:
    """The own hull and, for the engineer, the enemy's."""
    trace, drawing = view.trace, view.enemy_hull
    yield trace is not None
    yield from strokes(setup, trace)
    yield from (trace.good, trace.ready) if trace else (0, 0)
    yield trace is not None and view.seat is not None and trace.holder == view.seat.number
    yield drawing is not None
    yield from strokes(setup, Trace(0, drawing.sections) if drawing else None)
    yield drawing.good if drawing else 0


def strokes(setup: Setup, trace: Trace | None) -> list[int]:
    """For each section whether it is traced, and how."""
    if trace is None:
        return [0] * 4
    return [
        0 if section is None else 1 if stays_in_band(setup.hull, number, section.stroke) else 2
        for number, section in enumerate(trace.sections, 1)
    ]


def page() -> list[str]:
    """The page of the documentation: what an observation holds."""
    lines = [
        "# The observation",
        "",
        "Every number is an unsigned byte. `planes` has one plane for each row of this table, each",
        "as large as the chart, 0 or 1; a sheet that the seat may not see is all zeros.",
        "",
        "| plane | name | what |",
        "|---|---|---|",
        *(
            f"| {number} | `{name}` | {PLANE_NOTES[name]} |"
            for number, name in enumerate((*PLANES, *BELIEF_PLANES))
        ),
        "",
        "The last two are there only if belief is asked for.",
        "",
        f"`vector` has {VECTOR_SIZE} entries:",
        "",
        "| from | entries | name | what |",
        "|---|---|---|---|",
    ]
    start = 0
    for name, size in VECTOR.items():
        lines.append(f"| {start} | {size} | `{name}` | {VECTOR_NOTES[name]} |")
        start += size
    return [
        *lines,
        "",
        f"Each of the {HEARD} announcements under `heard` has {HEARD_FIELDS} entries: the kind of",
        "event and 1 (`fathom.core.events.KINDS`), whose it is (0 nobody's, 1 own, 2 the enemy's),",
        f"and the next {HEARD_FIELDS - 2} columns of the event's row, each plus 1. For an",
        "explosion these are the point, the source, the own hit and the enemy's.",
        "",
    ]
