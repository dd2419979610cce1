"""Whatever comes in, the referee answers every line, loses nothing and goes on."""

import json
from random import Random
from typing import Any

import pytest

from fathom.cli.reading import LONGEST_LINE, write
from fathom.cli.referee import RefereeService
from tests.cli.running import fathom

pytestmark = pytest.mark.slow

SETUP = {"do": "setup", "game": "kept", "rulebook": "captain-sonar", "auto": True, "seed": 3}
KEPT = (
    SETUP,
    {"do": "order", "game": "kept", "seat": "yellow/0", "order": {"order": "place", "at": "A1"}},
    {"do": "order", "game": "kept", "seat": "blue/0", "order": {"order": "place", "at": "J9"}},
    {"do": "order", "game": "kept", "seat": "yellow/0", "order": {"order": "dive"}},
    {"do": "order", "game": "kept", "seat": "blue/0", "order": {"order": "dive"}},
)
SAMPLES: tuple[dict[str, Any], ...] = (
    {"do": "hello", "id": 1},
    {"do": "games", "id": "x"},
    {"do": "setup", "game": "g", "rulebook": "sonar", "mode": "real-time", "players": 4},
    {"do": "setup", "game": "h", "scenario": "delta-2", "rulings": {"torpedo_range": 4}},
    {"do": "setup", "game": "i", "house": {"stations": "closed", "pause_seconds": 1.5}},
    {"do": "setup", "game": "j", "chart_text": "title: T\n\n" + "\n".join(["." * 10] * 10)},
    {
        "do": "setup",
        "game": "k",
        "crews": [
            {"boat": "X", "seats": [{"name": "A", "posts": ["captain", "first-mate"]}]},
            {"boat": "Y", "seats": [{"name": "B", "posts": ["engineer", "radio-operator"]}]},
        ],
    },
    {"do": "order", "game": "g", "seat": "blue/0", "order": {"order": "course", "heading": "N"}},
    {"do": "order", "game": "g", "seat": {"crew": "a", "number": 0}, "order": {"order": "dive"}},
    {"do": "order", "game": "h", "seat": "referee", "order": {"order": "lost", "crew": "a"}},
    {
        "do": "order",
        "game": "i",
        "seat": "yellow/0",
        "order": {"order": "trace", "section": 1, "stroke": [[1, 2], [3, 4]], "initials": "AB"},
    },
    {"do": "view", "game": "g", "seat": "watcher"},
    {"do": "legal", "game": "h", "seat": "referee"},
    {"do": "events", "game": "h", "since": 0, "seat": "yellow/0"},
    {"do": "logbook", "game": "g"},
    {"do": "close", "game": "j"},
)
STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, -(2**63), 2**70, 10**400, 0.5, -1e300),
    *("", "a", "\u0000", "\U0001f40b", "x" * 300, "yellow/0", "H8", "P99", "N", [], [[]], {}),
    *([1, "a", None], {"order": "dive"}, {"crew": "a"}, {"": ""}),
)


def mutated(dice: Random, value: Any) -> Any:
    """The value with something in it changed for the worse."""
    if isinstance(value, dict) and value and dice.random() < 0.85:
        key = dice.choice(list(value))
        match dice.randrange(4):
            case 0:
                return {name: part for name, part in value.items() if name != key}
            case 1:
                return {**value, dice.choice(["x", "seat", "order", "id", "at"]): strange(dice)}
            case _:
                return {**value, key: mutated(dice, value[key])}
    if isinstance(value, list) and value and dice.random() < 0.7:
        place = dice.randrange(len(value))
        return [*value[:place], mutated(dice, value[place]), *value[place + 1 :]]
    return strange(dice)


def strange(dice: Random) -> Any:
    return dice.choice(STRANGE)


def hostile_line(dice: Random) -> bytes:
    """One line that nobody should send."""
    sample = json.dumps(dice.choice(SAMPLES)).encode()
    match dice.randrange(10):
        case 0:
            return bytes(dice.choices(range(256), k=dice.randrange(1, 80))).replace(b"\n", b" ")
        case 1:
            return sample[: dice.randrange(len(sample))]
        case 2:
            place = dice.randrange(len(sample))
            return (
                sample[:place] + bytes([dice.randrange(11, 256)]) + sample[place + 1 :]
            ).replace(b"\n", b" ")
        case 3:
            depth = dice.choice([30, 900, 30_000])
            return dice.choice([b"[" * depth, b'{"a":' * depth, b"[" * depth + b"]" * depth])
        case 4:
            return b'{"do":"games","do":"quit","id":' + sample + b"}"
        case 5:
            word = dice.choice([b"NaN", b"Infinity", b"-Infinity", b"1e999", b"0x1", b"01", b"'a'"])
            return (
                sample.replace(b'"', b"", 1)
                if dice.random() < 0.3
                else sample[:-1] + b',"id":' + word + b"}"
            )
        case _:
            message = dict(dice.choice(SAMPLES))
            for _ in range(dice.randrange(1, 4)):
                changed = mutated(dice, message)
                message = changed if isinstance(changed, dict) else {"do": changed}
            return json.dumps(message).encode()


def is_quit(line: bytes) -> bool:
    """Whether the line would end the process; such a line is not sent."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(message, dict) and message.get("do") == "quit"


@pytest.mark.slow
def test_thousands_of_hostile_lines_are_answered_one_by_one() -> None:
    dice = Random(20)
    hostile = [line for line in (hostile_line(dice) for _ in range(4000)) if line.strip()]
    hostile = [line for line in hostile if not is_quit(line)]
    hostile += [b"x" * (LONGEST_LINE + 1), b"[" * 5_000_000, b'"' + b"y" * LONGEST_LINE + b'"']
    good = [json.dumps(message).encode() for message in KEPT]
    last = [b'{"do":"events","game":"kept","id":"last"}', b'{"do":"quit"}']
    ran = fathom("referee", send=b"\n".join([*good, *hostile, *last]) + b"\n")
    assert ran.code == 0
    assert ran.err == ""
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert len(answers) == len(good) + len(hostile) + len(last)
    assert [answer for answer in answers if answer.get("error") == "internal"] == []
    assert all(len({"answer", "refused", "error"} & set(answer)) == 1 for answer in answers)
    events = [event["event"] for event in answers[-2]["events"]]
    assert events == ["first-drawn", "placed", "placed", "dived", "dived", "play-began"]
    assert answers[-1] == {"answer": "quit"}


ORDERS: tuple[dict[str, Any], ...] = (
    *({"order": "course", "heading": heading} for heading in "NSEW"),
    *({"order": kind} for kind in ("dive", "surface", "end-turn", "resume", "sonar", "ready")),
    *({"order": "charge", "system": system} for system in ("torpedo", "silence", "scenario")),
    *({"order": "cross-out", "symbol": symbol} for symbol in ("N1", "S2", "E6", "W4", "", "ZZ")),
    {"order": "place", "at": "C3"},
    {"order": "mine", "at": "C3"},
    {"order": "trigger", "at": "O15"},
    {"order": "torpedo", "target": "C4"},
    {"order": "silence", "distance": 2, "heading": "N"},
    {"order": "silence", "distance": -3, "heading": "N"},
    {"order": "old-mine", "at": "A1"},
    {"order": "repair", "system": "torpedo"},
    {"order": "volcano", "volcano": 3},
    {"order": "answer", "row": 3, "column": "é", "sector": None},
    {"order": "answer-truly", "line": "row"},
    {"order": "drone", "sector": 0},
    {"order": "judge", "bad": [1, 1, 9]},
    {"order": "trace", "section": 1, "stroke": [[0, 0], [2**53, -(2**53)]], "initials": "A"},
    {"order": "trace", "section": 2, "stroke": [[2**53, 0], [2**53, 0]], "initials": "A"},
    {"order": "trace", "section": 3, "stroke": [[1, 1]] * 2001, "initials": "A"},
    {"order": "line", "line": [[0, 0], [1, 1]]},
    {"order": "note", "x": 0, "y": 0, "text": "a\u202eb"},
    {"order": "rub", "number": 2**53},
    {"order": "slide", "x": -30, "y": 31},
    {"order": "first", "crew": "b"},
)


def choose_order(dice: Random, desk: RefereeService, seat: str) -> Any:
    """Something that the seat may do, or something strange."""
    if dice.random() < 0.3:
        order = dice.choice(ORDERS)
        return mutated(dice, order) if dice.random() < 0.5 else order
    asked = {"do": "legal", "game": "g", "seat": seat}
    orders: list[Any] = answer(desk, asked)["orders"]
    return dice.choice([o for o in orders if o["order"] not in ("resign", "lost")] or [ORDERS[0]])


def answer(desk: RefereeService, message: Any) -> dict[str, Any]:
    """The desk's answer as it is written."""
    found: dict[str, Any] = json.loads(write(desk.answer(json.dumps(message).encode(), 1)))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_strange_orders_never_upset_a_game(seed: int) -> None:
    dice, desk = Random(seed), RefereeService(most_games=3)
    scenario, mode = dice.choice([("alpha", "real-time"), ("delta-2", "turn-by-turn")])
    book = dice.choice(["captain-sonar", "captain-sonar-2"])
    asked: dict[str, Any] = {"do": "setup", "game": "g", "rulebook": book, "scenario": scenario}
    asked |= {"mode": mode, "house": {"lift_crew_rules": True}, "auto": True, "seed": seed}
    assert answer(desk, asked)["answer"] == "setup"
    for _ in range(700):
        seat = dice.choice([*desk.tables["g"].seats, "referee"])
        order = choose_order(dice, desk, seat)
        told = answer(desk, {"do": "order", "game": "g", "seat": seat, "order": order})
        assert told.get("error") != "internal", (seat, order, told)
        assert len({"answer", "refused", "error"} & set(told)) == 1
