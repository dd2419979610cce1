"""``fathom referee``: the real process, asked and answered line by line."""

import json
import re
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from fathom.cli.messages import ErrorCode
from fathom.cli.reading import BadMessage
from fathom.cli.reading import read as read_request
from fathom.engine.events import AnyEvent, MarkAcknowledged, MineLaidHeard, SilenceHeard
from fathom.engine.logbook import read as read_logbook
from fathom.engine.orders import AnyOrder
from tests.cli.running import FATHOM, environment, fathom

PAGE = Path(__file__).parents[2] / "docs" / "referee.md"
SEA = "title: Mine\n\n" + "\n".join(["..........", "....##...."] * 5)


def talk(*messages: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    """What the referee answers to these lines."""
    raw = [m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages]
    ran = fathom("referee", send=b"\n".join(raw) + b"\n")
    assert (ran.code, ran.err) == (0, "")
    return [json.loads(line) for line in ran.out.splitlines()]


def order(seat: Any, kind: str, **fields: Any) -> dict[str, Any]:
    """A message that gives an order."""
    return {"do": "order", "seat": seat, "order": {"order": kind, **fields}}


BEGUN = (
    {"do": "setup", "first": "a"},
    order("yellow/0", "place", at="A1"),
    order("blue/0", "place", at="J10"),
    order("yellow/0", "dive"),
    order("blue/0", "dive"),
)


# The page


def example() -> list[tuple[str, str]]:
    """The lines of the example on the page: what goes in, and what comes out."""
    text = PAGE.read_text(encoding="utf-8").partition("## A whole game")[2]
    block = re.search(r"```text\n(.*?)```", text, flags=re.DOTALL)
    assert block is not None
    lines = block[1].splitlines()
    assert [line[:2] for line in lines] == ["> ", "< "] * (len(lines) // 2)
    return [(lines[n][2:], lines[n + 1][2:]) for n in range(0, len(lines), 2)]


def matches(told: str, promised: str) -> bool:
    """Whether the line is what the page promises; three dots stand for anything."""
    pattern = ".*".join(re.escape(part) for part in promised.split("…"))
    return re.fullmatch(pattern, told) is not None


def test_the_example_of_the_page_is_what_the_referee_says() -> None:
    ran = fathom("referee", send="\n".join(sent for sent, _ in example()) + "\n")
    assert (ran.code, ran.err) == (0, "")
    answers = ran.out.splitlines()
    assert len(answers) == len(example()) == 20
    for told, (sent, promised) in zip(answers, example(), strict=True):
        assert matches(told, promised), f"{sent}\npromised {promised}\ntold     {told}"


def test_the_driver_of_the_page_plays_a_game(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## A driver")[2]
    block = re.search(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert block is not None
    driver = block[1].replace('["fathom", "referee"]', f"{[*FATHOM, 'referee']!r}")
    assert driver != block[1]
    file = tmp_path / "driver.py"
    file.write_text(driver, encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own page
        [sys.executable, file], capture_output=True, timeout=60, env=environment(), check=True
    )
    assert done.stdout.startswith(b"{'event': 'game-ended', ")


def tags(union: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in get_args(union)}


def test_the_page_names_every_order_event_and_error() -> None:
    page = PAGE.read_text(encoding="utf-8")
    heard = {kind.__struct_config__.tag for kind in (SilenceHeard, MineLaidHeard, MarkAcknowledged)}
    wanted = tags(AnyOrder) | tags(AnyEvent) | heard | set(get_args(ErrorCode))
    assert {tag for tag in wanted if f"`{tag}`" not in page} == set()


# Setting up


def test_a_setup_is_answered_with_everything_resolved() -> None:
    (told,) = talk({"do": "setup", "rulebook": "captain-sonar-2", "players": 8, "id": "s"})
    assert told["answer"] == "setup"
    assert told["id"] == "s"
    assert told["colours"] == {"a": "red", "b": "blue"}
    assert [seat["seat"] for seat in told["seats"]] == [
        *(f"red/{number}" for number in range(4)),
        *(f"blue/{number}" for number in range(4)),
    ]
    assert told["seats"][2]["posts"] == ["engineer"]
    assert told["gauges"] == {"mine": 2, "torpedo": 3, "drone": 3, "sonar": 2, "silence": 5}
    assert told["sinks_at"] == 4
    assert len(told["setup"]["chart"]["rows"]) == 10
    assert len(told["setup"]["sheet"]["symbols"]) == 24
    assert len(told["setup"]["hull"]["sections"]) == 4


def test_the_family_game_has_one_energy_gauge() -> None:
    (told,) = talk({"do": "setup", "rulebook": "sonar"})
    assert told["gauges"] == {}
    assert told["energy"] == 4
    assert told["setup"]["chart"]["starts"] == ["A1", "J10"]


def test_a_chart_of_ones_own() -> None:
    told, placed, refused = talk(
        {"do": "setup", "chart_text": SEA},
        order("yellow/0", "place", at="E1"),
        order("blue/0", "place", at="E2"),
    )
    assert told["setup"]["chart"]["rows"][1] == "....##...."
    assert placed["answer"] == "order"
    assert refused["refused"] == "chart.islands"


def test_a_bad_chart_is_named_with_line_and_column() -> None:
    told, games = talk({"do": "setup", "chart_text": "title: T\n\n..\n.X"}, {"do": "games"})
    assert told["error"] == "bad-chart"
    assert told["where"] == "$.chart_text, line 4, column 2"
    assert games["games"] == {}


@pytest.mark.parametrize(
    ("choices", "rule"),
    [
        ({"rulebook": "chess"}, "start.choices"),
        ({"rulebook": "captain-sonar-2", "mode": "real-time", "players": 4}, "crew.mode"),
        ({"players": 9}, "crew.sizes"),
        ({"rulebook": "sonar", "scenario": "echo"}, "chart.any"),
        ({"rulings": {"no_such_field": 1}}, "start.choices"),
        ({"rulings": {"torpedo_range": 10**15}}, "start.choices"),
        ({"rulings": {"torpedo_range": "far"}}, "start.choices"),
        ({"chart_text": "title: T\n\n...\n..."}, "chart.any"),
    ],
)
def test_a_setup_that_the_rules_do_not_allow_is_refused(choices: dict[str, Any], rule: str) -> None:
    told, games = talk({"do": "setup", "id": 5, **choices}, {"do": "games"})
    assert (told["refused"], told["id"]) == (rule, 5)
    assert told["what"]
    assert games["games"] == {}


# Orders, and who hears what


def test_each_seat_hears_its_share_and_no_more() -> None:
    answers = talk(
        *BEGUN,
        order("yellow/0", "course", heading="S"),
        order("yellow/0", "charge", system="torpedo"),
    )
    course, charge = answers[-2:]
    assert course["heard"]["blue/0"] == course["events"]
    assert [event["event"] for event in charge["events"]] == ["gauge-charged"]
    assert charge["heard"] == {"yellow/0": charge["events"], "blue/0": [], "watcher": []}


def test_closed_stations_hear_only_that_a_mark_was_made() -> None:
    setup = {"do": "setup", "first": "a", "players": 8, "house": {"stations": "closed"}}
    answers = talk(
        setup,
        *BEGUN[1:],
        order("yellow/0", "course", heading="S"),
        order("yellow/1", "charge", system="torpedo"),
    )
    heard = answers[-1]["heard"]
    assert heard["yellow/1"] == answers[-1]["events"]
    aye = [{"event": "acknowledged", "crew": "a", "post": "first-mate"}]
    assert heard["yellow/0"] == heard["yellow/3"] == aye
    assert heard["blue/3"] == []


def test_a_refusal_names_the_rule_and_changes_nothing() -> None:
    answers = talk(
        *BEGUN,
        {**order("yellow/0", "course", heading="N"), "id": "up"},
        {"do": "events", "since": 5},
        {"do": "view", "seat": "yellow/0"},
    )
    assert answers[-3] == {"refused": "move.edge", "id": "up", "game": "game"}
    assert answers[-2]["position"] == 5
    assert answers[-2]["events"] == []
    assert answers[-1]["view"]["helm"]["at"] == "A1"


@pytest.mark.parametrize("seat", ["yellow/0", "a/0", {"crew": "a", "number": 0}])
def test_a_seat_can_be_called_in_several_ways(seat: Any) -> None:
    answers = talk(BEGUN[0], order(seat, "place", at="B2"), {"do": "view", "seat": seat})
    assert answers[1]["events"] == [{"event": "placed", "crew": "a", "at": "B2"}]
    assert answers[2]["seat"] == "yellow/0"
    assert answers[2]["view"]["helm"]["at"] == "B2"


@pytest.mark.parametrize(
    ("message", "where"),
    [
        (order("yellow/1", "dive"), ""),
        (order("green/0", "dive"), ""),
        (order("yellow/-1", "dive"), ""),
        (order({"crew": "a", "number": 99}, "dive"), ""),
        (order("watcher", "dive"), "$.seat"),
        ({"do": "view", "seat": "referee"}, "$.seat"),
        ({"do": "legal", "seat": "watcher"}, "$.seat"),
    ],
)
def test_unknown_seats(message: dict[str, Any], where: str) -> None:
    told = talk(BEGUN[0], message)[-1]
    assert told["error"] == "unknown-seat"
    assert told.get("where", "") == where


def test_a_view_holds_nothing_of_the_enemy() -> None:
    answers = talk(*BEGUN, {"do": "view", "seat": "blue/0"}, {"do": "view", "seat": "watcher"})
    blue, watcher = answers[-2]["view"], answers[-1]["view"]
    assert blue["helm"]["at"] == "J10"
    assert "A1" not in json.dumps(blue)
    assert set(watcher) == {"public"}


def test_legal_orders_are_exactly_those_that_are_accepted() -> None:
    answers = talk(*BEGUN, {"do": "legal", "seat": "yellow/0"}, {"do": "legal", "seat": "blue/0"})
    assert answers[-2]["orders"] == [
        {"order": "course", "heading": "S"},
        {"order": "course", "heading": "E"},
        {"order": "surface"},
        {"order": "resign"},
    ]
    assert answers[-2]["write"] is True
    assert answers[-1]["orders"] == [{"order": "resign"}]


def test_the_hull_can_be_traced_and_legal_says_when() -> None:
    real_time = {"do": "setup", "mode": "real-time", "house": {"lift_crew_rules": True}}
    told = talk(real_time)[0]
    sections = told["setup"]["hull"]["sections"]
    strokes = [[*line, line[0]] for line in sections]
    traced = [
        order("yellow/0", "trace", section=n, stroke=stroke, initials="A")
        for n, stroke in enumerate(strokes, 1)
    ]
    answers = talk(
        real_time,
        *BEGUN[1:],
        order("yellow/0", "surface"),
        {"do": "legal", "seat": "yellow/0"},
        *traced,
    )
    assert answers[6]["trace"] == [1, 2, 3, 4]
    assert "write" not in answers[6]
    assert answers[-1]["events"][-1] == {"event": "trace-judged", "crew": "a", "bad": []}


# The referee's own orders


def test_the_referee_draws_who_begins_when_asked() -> None:
    answers = talk({"do": "setup"}, *BEGUN[1:], order("referee", "first", crew="b"))
    assert [event["event"] for event in answers[-2]["events"]] == ["dived"]
    assert answers[-1]["events"] == [
        {"event": "first-drawn", "crew": "b"},
        {"event": "play-began", "first": "b"},
    ]


def test_auto_draws_by_its_seed() -> None:
    seeds = [*range(8), 3]
    answers = talk(
        *(
            {"do": "setup", "game": str(n), "auto": True, "seed": seed}
            for n, seed in enumerate(seeds)
        )
    )
    assert [answer["seed"] for answer in answers] == seeds
    assert all(answer["events"] == answer["heard"]["watcher"] for answer in answers)
    drawn = [answer["events"][0]["crew"] for answer in answers]
    assert set(drawn) == {"a", "b"}
    assert drawn[8] == drawn[3]


def test_auto_without_a_seed_tells_the_one_it_took() -> None:
    (told,) = talk({"do": "setup", "auto": True})
    (again,) = talk({"do": "setup", "auto": True, "seed": told["seed"]})
    assert again["events"] == told["events"]


def test_a_seed_without_auto_is_an_error() -> None:
    (told,) = talk({"do": "setup", "seed": 1})
    assert (told["error"], told["where"]) == ("bad-message", "$.seed")


def silent_for(auto: bool) -> list[dict[str, Any]]:
    """Real time: three courses, then a torpedo, which stops play."""
    setup = {"do": "setup", "mode": "real-time", "house": {"lift_crew_rules": True}, "auto": auto}
    courses = [
        message
        for symbol in ("S1", "S2", "S4")
        for message in (
            order("yellow/0", "course", heading="S"),
            order("yellow/0", "charge", system="torpedo"),
            order("yellow/0", "cross-out", symbol=symbol),
        )
    ]
    # S4 is red: another symbol keeps the weapons whole.
    courses[-1] = order("yellow/0", "cross-out", symbol="S5")
    fire = order("yellow/0", "torpedo", target="A7")
    return talk(setup, *BEGUN[1:], *courses, fire, order("yellow/0", "course", heading="S"))


def test_a_stop_waits_for_the_referee() -> None:
    torpedo, course = silent_for(auto=False)[-2:]
    assert [event["event"] for event in torpedo["events"]] == ["torpedo-fired", "exploded"]
    assert course["refused"] == "system.stop"


def test_auto_ends_a_stop_by_itself() -> None:
    torpedo, course = silent_for(auto=True)[-2:]
    happened = [event["event"] for event in torpedo["events"]]
    assert happened == ["torpedo-fired", "exploded", "play-resumed"]
    assert [event["event"] for event in course["events"]] == ["course-set"]


# History, logbook, several games


def test_events_since_a_position_all_or_a_seats_share() -> None:
    answers = talk(
        *BEGUN,
        {"do": "events", "since": 1},
        {"do": "events", "since": 1, "seat": "yellow/0"},
        {"do": "events", "since": 6},
        {"do": "events", "since": -1},
    )
    full, share, too_far, negative = answers[-4:]
    kinds = [event["event"] for event in full["events"]]
    assert kinds == ["placed", "dived", "dived", "play-began"]
    assert [event["event"] for event in share["events"]] == kinds[1:]
    assert full["position"] == share["position"] == 5
    assert (too_far["error"], too_far["where"]) == ("bad-message", "$.since")
    assert (negative["error"], negative["where"]) == ("bad-message", "$.since")


def test_the_logbook_can_be_read_again() -> None:
    answers = talk(
        *BEGUN, order("yellow/0", "course", heading="S"), {"do": "logbook"}, {"do": "events"}
    )
    logbook = read_logbook(answers[-2]["text"])
    assert len(logbook.steps) == 5
    assert len(logbook.events) == len(answers[-1]["events"]) == 6


def test_several_games_do_not_disturb_each_other() -> None:
    answers = talk(
        {"do": "setup", "game": "one"},
        {"do": "setup", "game": "two", "rulebook": "sonar"},
        {**order("yellow/0", "place", at="C3"), "game": "one"},
        {**order("blue/0", "dive"), "game": "two"},
        {"do": "games"},
        {"do": "setup", "game": "one"},
        {"do": "close", "game": "one"},
        {"do": "setup", "game": "one"},
        {**order("yellow/0", "dive"), "game": "three"},
        {"do": "games"},
    )
    assert answers[4]["games"] == {"one": 1, "two": 1}
    assert answers[5]["error"] == "game-exists"
    assert (answers[6]["answer"], answers[6]["position"]) == ("close", 1)
    assert answers[7]["answer"] == "setup"
    assert (answers[8]["error"], answers[8]["where"]) == ("unknown-game", "$.game")
    assert answers[9]["games"] == {"one": 0, "two": 1}


def test_the_number_of_games_is_bounded() -> None:
    sent = [json.dumps({"do": "setup", "game": str(n)}) for n in range(4)]
    ran = fathom("referee", "--games", "3", send="\n".join(sent))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer.get("answer") for answer in answers[:3]] == ["setup"] * 3
    assert answers[3]["error"] == "too-many-games"


# Lines that are no messages


BAD_LINES: tuple[tuple[bytes, str, str], ...] = (
    (b"nonsense", "not-json", "column 1"),
    (b'{"do":"games"', "not-json", "column 14"),
    (b'{"do":"games"} {}', "not-json", "column 16"),
    (b'{"do":"gam\xffes"}', "not-utf-8", "byte 11"),
    (b'{"do":"games","id":"\\ud800"}', "not-utf-8", "$.id"),
    (b'{"do":"games","id":NaN}', "not-json", "byte 20"),
    (b'{"do":"games","id":-Infinity}', "not-json", "byte 21"),
    (b'{"do":"games","do":"games"}', "duplicate-key", "$"),
    (b'{"do":"setup","house":{"stations":"open","stations":"open"}}', "duplicate-key", "$.house"),
    (b"[" * 100, "not-json", "column 101"),
    (b"[" * 40 + b"]" * 40, "too-deep", ""),
    (b"[" * 60_000, "too-deep", ""),
    (b'{"do":"games","id":"' + b"x" * 70_000 + b'"}', "too-long", ""),
    (b"[]", "bad-message", ""),
    (b"7", "bad-message", ""),
    (b"{}", "bad-message", ""),
    (b'{"do":"dance"}', "bad-message", "$.do"),
    (b'{"do":["games"]}', "bad-message", "$.do"),
    (b'{"do":"games","colour":1}', "bad-message", ""),
    (b'{"do":"games","id":[1]}', "bad-message", "$.id"),
    (b'{"do":"games","id":100000000000000000000}', "bad-message", "$.id"),
    (b'{"do":"setup","players":"two"}', "bad-message", "$.players"),
    (b'{"do":"setup","game":""}', "bad-message", "$.game"),
    (b'{"do":"setup","house":{"pause_seconds":1e999}}', "bad-message", "$.house.pause_seconds"),
    (b'{"do":"order","seat":"a/0"}', "bad-message", ""),
    (b'{"do":"order","seat":"a/0","order":{"order":"fly"}}', "bad-message", "$.order.order"),
    (b'{"do":"order","seat":"","order":{"order":"place","at":"Z9"}}', "bad-message", "$.order.at"),
    (b'{"do":"order","seat":"","order":{"order":"place","at":7}}', "bad-message", "$.order.at"),
    (b'{"do":"order","seat":7,"order":{"order":"dive"}}', "bad-message", "$.seat"),
    (b'{"do":"order","seat":"a/0","order":{"order":"dive","deep":1}}', "bad-message", "$.order"),
)  # fmt: skip


@pytest.fixture(scope="module")
def told() -> dict[bytes, tuple[dict[str, Any], ...]]:
    """For each bad line its answer, and the answer to the good line that followed it."""
    good = b'{"do":"games","id":"next"}'
    answers = talk(*(line for bad, _, _ in BAD_LINES for line in (bad, good)))
    pairs = zip(answers[::2], answers[1::2], strict=True)
    return {bad: pair for (bad, _, _), pair in zip(BAD_LINES, pairs, strict=True)}


@pytest.mark.parametrize(("line", "error", "where"), BAD_LINES)
def test_a_line_that_is_no_message_is_told_what_is_wrong_and_where(
    told: dict[bytes, tuple[dict[str, Any], ...]], line: bytes, error: str, where: str
) -> None:
    answer, following = told[line]
    assert answer["error"] == error
    assert answer.get("where", "") == where
    assert answer["line"] == 2 * [bad for bad, _, _ in BAD_LINES].index(line) + 1
    assert answer["what"]
    assert following == {"answer": "games", "id": "next", "games": {}}


def test_an_error_carries_the_id_where_there_is_one() -> None:
    answers = talk(
        {"do": "dance", "id": "first"},
        {"do": "view", "seat": "nobody", "id": 2},
        b'{"do":"games","x":1,"x":2,"id":3}',
        {"do": "games", "id": [4]},
    )
    assert [answer.get("id") for answer in answers] == ["first", 2, 3, None]
    assert [answer["line"] for answer in answers] == [1, 2, 3, 4]


def test_empty_lines_are_passed_over_and_the_last_line_needs_no_end() -> None:
    ran = fathom("referee", send=b'\n  \r\n{"do":"games"}\r\n\n{"do":"quit"}')
    assert ran.out == '{"answer":"games","games":{}}\n{"answer":"quit"}\n'


def test_nothing_is_answered_after_quit() -> None:
    answers = talk({"do": "quit", "id": 1}, {"do": "games"})
    assert answers == [{"answer": "quit", "id": 1}]


def test_every_answer_is_flushed_at_once() -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*FATHOM, "referee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for number in range(3):
            running.stdin.write(b'{"do":"games","id":%d}\n' % number)
            running.stdin.flush()
            assert select.select([running.stdout], [], [], 30)[0], "no answer came"
            assert json.loads(running.stdout.readline())["id"] == number
        running.stdin.close()
        assert running.wait(30) == 0


@pytest.mark.parametrize(
    ("order", "values"),
    [
        ({"order": "course", "heading": "north"}, "it may be N, S, E, W"),
        ({"order": "charge", "system": "laser"}, "it may be mine, torpedo, drone"),
        ({"order": "answer-truly", "line": "both"}, "it may be row, column"),
    ],
)
def test_an_error_names_the_values_that_there_are(order: dict[str, str], values: str) -> None:
    line = json.dumps({"do": "order", "seat": "a/0", "order": order})
    with pytest.raises(BadMessage) as bad:
        read_request(line.encode())
    assert values in bad.value.what
