"""A game as the numbers of a core's state, and back. The transparent sheets are not among them."""

from collections.abc import Mapping
from typing import Any

from fathom.core import codes
from fathom.core.actions import CROOKED, INITIALS, good_trace
from fathom.core.codes import NONE, crew_code, crew_of, points_of, words_of
from fathom.core.flat_setup import Flat, place_bits, slot_bits
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import (
    Awaited,
    Boat,
    Duty,
    Engine,
    Game,
    Gauges,
    Helm,
    Public,
    Result,
    Stop,
    Trace,
    TracedSection,
    Turn,
    ground_for,
    new_game,
)
from fathom.engine.tracing import stays_in_band
from fathom.rules.setup import Setup
from fathom.words import CREWS, ByCrew

ROUTE = 15 * 15 + 1
"""Room for the longest route, and one more."""


def flat_state(game: Game) -> Flat:
    """The state's fields, by the names that they have in the core."""
    public = game.public
    turn, stop, awaited, result = public.turn, public.stop, public.awaited, public.result
    return {
        "old_mines": words_of(public.old_mines),
        "lava": words_of(public.lava),
        "phase": codes.PHASES.index(public.phase),
        "first": crew_code(public.first),
        "dived": [int(each) for each in public.dived],
        "surfaced": [int(each) for each in public.surfaced],
        "turn": crew_code(turn.crew if turn else None),
        "turns_left": turn.left if turn else 0,
        "sailed": int(turn.sailed) if turn else 0,
        "announced": int(turn.announced) if turn else 0,
        "stop": crew_code(stop.by if stop else None),
        "stop_marks": int(stop.marks) if stop else 0,
        "awaited": codes.AWAITED.index(awaited.what) if awaited else 0,
        "awaited_crew": crew_code(awaited.crew if awaited else None),
        "damage": list(public.damage),
        "in_service": list(public.in_service),
        "volcano_marks": list(public.volcano_marks),
        "volcano_events": public.volcano_events,
        "smoke": public.smoke,
        "winner": crew_code(result.winner if result else None),
        "why": codes.ENDINGS.index(result.why) if result else NONE,
        "spare": [0] * 6,
        "boats": [flat_boat(game.ground, boat) for boat in game.boats],
    }


def flat_boat(ground: CompiledSetup, boat: Boat) -> Flat:
    """One crew's sheets."""
    helm, duty, gauges = boat.helm, boat.duty, boat.gauges
    return {
        "covered": words_of(helm.covered),
        "mines": words_of(helm.mines),
        "unarmed": words_of(helm.unarmed),
        "silent": words_of(helm.silent),
        "crossed": slot_bits(ground, boat.engine.crossed),
        "at": helm.at,
        "charge": codes.CHARGES.index(duty.charge),
        "cross": codes.CROSSINGS.index(duty.cross),
        "barred": codes.BARS.index(duty.barred),
        "ready": duty.ready,
        "energy": gauges.energy,
        "boxes": gauges.boxes,
        "locked": int(boat.radio.locked),
        **flat_trace(ground.setup, boat.trace),
        "route_length": len(helm.route),
        "route": [*helm.route, *[0] * (ROUTE - len(helm.route))],
    }


def flat_trace(setup: Setup, trace: Trace | None) -> Flat:
    """The traced hull: of each stroke only whether it is good."""
    sections = trace.sections if trace else (None,) * 4
    return {
        "tracing": int(trace is not None),
        "holder": trace.holder if trace else 0,
        "trace_good": int(trace.good) if trace else 0,
        "trace_ready": int(trace.ready) if trace else 0,
        "strokes": [
            codes.STROKES.index(
                "none" if section is None
                else "good" if stays_in_band(setup.hull, number, section.stroke) else "bad"
            )
            for number, section in enumerate(sections, 1)
        ],
        "traced_by": [section.seat if section else 0 for section in sections],
    }  # fmt: skip


def game_of(setup: Setup, state: Mapping[str, Any]) -> Game:
    """The game with this state; the transparent sheets are as at the start."""
    ground, fresh = ground_for(setup), new_game(setup)
    boats = [
        restored_boat(ground, fresh.boats[crew], flat)
        for crew, flat in zip(CREWS, state["boats"], strict=True)
    ]
    return Game(ground, restored_public(state), ByCrew(*boats))


def restored_public(state: Mapping[str, Any]) -> Public:
    """What everyone knows."""

    def flag(name: str) -> bool:
        return bool(state[name])

    def pair(name: str) -> ByCrew[int]:
        return ByCrew(*map(int, state[name]))

    turn, stop = crew_of(int(state["turn"])), crew_of(int(state["stop"]))
    awaited = crew_of(int(state["awaited_crew"]))
    what: Any = codes.AWAITED[state["awaited"]]
    phase: Any = codes.PHASES[state["phase"]]
    why = int(state["why"])
    ending: Any = codes.ENDINGS[why]
    return Public(
        phase=phase,
        first=crew_of(int(state["first"])),
        dived=pair("dived").map(bool),
        surfaced=pair("surfaced").map(bool),
        turn=Turn(turn, int(state["turns_left"]), flag("sailed"), flag("announced"))
        if turn
        else None,
        stop=Stop(stop, flag("stop_marks")) if stop else None,
        awaited=Awaited(what, awaited) if awaited else None,
        damage=pair("damage"),
        in_service=pair("in_service"),
        old_mines=points_of(state["old_mines"]),
        volcano_marks=pair("volcano_marks"),
        volcano_events=int(state["volcano_events"]),
        smoke=int(state["smoke"]),
        lava=points_of(state["lava"]),
        result=None if why == NONE else Result(crew_of(int(state["winner"])), ending),
    )


def restored_boat(ground: CompiledSetup, fresh: Boat, flat: Mapping[str, Any]) -> Boat:
    """One crew's sheets."""
    charge: Any = codes.CHARGES[flat["charge"]]
    cross: Any = codes.CROSSINGS[flat["cross"]]
    barred: Any = codes.BARS[flat["barred"]]
    radio = fresh.radio
    if flat["locked"]:
        radio = type(radio)(radio.films, radio.tape, True, radio.drawn, radio.ink)
    return Boat(
        duty=Duty(charge, cross, barred, int(flat["ready"])),
        helm=Helm(
            at=int(flat["at"]),
            route=tuple(map(int, flat["route"][: flat["route_length"]])),
            covered=points_of(flat["covered"]),
            silent=points_of(flat["silent"]),
            mines=points_of(flat["mines"]),
            unarmed=points_of(flat["unarmed"]),
        ),
        gauges=Gauges(tuple(map(int, flat["boxes"])), int(flat["energy"])),
        engine=Engine(place_bits(ground, int(flat["crossed"]))),
        radio=radio,
        trace=restored_trace(ground.setup, flat) if flat["tracing"] else None,
    )


def restored_trace(setup: Setup, flat: Mapping[str, Any]) -> Trace:
    """The traced hull, with the table's strokes."""
    sections = tuple(
        None
        if not stroke
        else TracedSection(
            good_trace(setup.hull, number).stroke if codes.STROKES[stroke] == "good" else CROOKED,
            INITIALS,
            int(seat),
        )
        for number, (stroke, seat) in enumerate(
            zip(flat["strokes"], flat["traced_by"], strict=True), 1
        )
    )
    return Trace(int(flat["holder"]), sections, bool(flat["trace_good"]), bool(flat["trace_ready"]))
