"""Programs that play: what they are told, and that whatever they do, the arena goes on."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fathom.arena.entrants import Entrant
from fathom.arena.match import MatchOutcome
from fathom.arena.program import ProgramFault, ProgramProcess
from fathom.words import CREW_A, CREW_B, Mode
from tests.arena.tables import CADET, match

pytestmark = pytest.mark.slow

READ = "import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n"
ANSWER = "    if message['do'] == 'choose': print(json.dumps({'order': %s}), flush=True)\n"


def program(tmp_path: Path, text: str, seconds: float = 20.0) -> Entrant:
    file = tmp_path / "program.py"
    file.write_text(text)
    return Entrant("program", f"program:{sys.executable} {file}", seconds)


def fate(tmp_path: Path, text: str, seconds: float = 20.0, **choices: Any) -> MatchOutcome:
    return match(CADET, program(tmp_path, text, seconds), **choices).play()


def test_a_program_is_told_what_its_seat_hears_and_sees(tmp_path: Path) -> None:
    said = tmp_path / "said.jsonl"
    text = (
        f"out = open({str(said)!r}, 'w')\n" + READ + "    out.write(line); out.flush()\n"
        "    if message['do'] == 'choose':\n"
        "        orders = [o for o in message['orders'] if o['order'] != 'resign']\n"
        "        print(json.dumps({'order': (orders or [None])[-1]}), flush=True)\n"
    )
    outcome = fate(tmp_path, text)
    assert outcome.fault is None
    lines = [msgspec.json.decode(line) for line in said.read_bytes().splitlines()]
    first, *asked, last = lines
    assert first["do"] == "setup"
    assert (first["seat"], first["crew"], first["protocol"]) == ("blue/0", "b", 1)
    assert first["seconds"] == 20.0
    assert first["setup"]["chart"]["rows"][0].startswith(".")
    assert first["gauges"]["torpedo"] == 3
    assert {line["do"] for line in asked} == {"choose"}
    assert asked[0]["view"]["posts"] == ["captain", "first-mate", "engineer", "radio-operator"]
    assert asked[0]["view"]["seat"] == {"crew": "b", "number": 0}
    heard = [news for line in lines[1:] for news in line["heard"]]
    assert [news for news in heard if news["event"] == "placed" and news["crew"] == "a"] == []
    assert [news["crew"] for news in heard if news["event"] == "dived"] == ["a", "b"]
    assert last["do"] == "over"
    assert last["result"]["why"] == heard[-1]["why"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise SystemExit(4)", "it ended with code 4"),
        ("import sys; sys.stderr.write('no chart!'); sys.exit(1)", "had written: no chart!"),
        ("import os, time; os.close(1); time.sleep(60)", "it closed its output"),
        (READ + ANSWER % "'north'", "its answer can't be understood: Expected `object | null`"),
        (READ + ANSWER % "{'order': 'course', 'heading': 'up'}", "Invalid enum value 'up'"),
        (READ + "    print('hello', flush=True)\n", "JSON is malformed"),
        (READ + "    print('[' * 60000, flush=True)\n", "its answer can't be understood"),
        (READ + "    print('x' * 1000000, flush=True)\n", "more than 65536 bytes in a line"),
        (
            READ + "    sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()\n",
            "understood",
        ),
        (READ + ANSWER % "{'order': 'course', 'heading': 'N'}", "the rule start.place forbids"),
        ("while True: print('{\"order\":null}')", "nobody in it orders anything"),
    ],
)
def test_a_program_that_fails_loses_with_a_clear_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    outcome = fate(tmp_path, text)
    assert outcome.ending == "forfeit"
    assert outcome.winner is CREW_A
    assert outcome.fault is not None
    assert outcome.fault.crew is CREW_B
    assert reason in outcome.fault.what


@pytest.mark.parametrize(
    "text",
    [
        "import time; time.sleep(600)",
        READ + "    pass\n",
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)",
        READ + "    sys.stdout.write('{'); sys.stdout.flush()\n",
    ],
)
def test_a_program_that_gives_no_answer_loses_and_is_ended(tmp_path: Path, text: str) -> None:
    outcome = fate(tmp_path, text, seconds=0.3)
    assert outcome.fault is not None
    assert "it gave no answer within 0.3 seconds" in outcome.fault.what


def test_nothing_that_a_program_started_is_left_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    text = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(600)\n"
    )
    outcome = fate(tmp_path, text, seconds=2.0)
    assert outcome.fault is not None
    child = int(pid.read_text())
    end = time.monotonic() + 20
    while alive(child):
        assert time.monotonic() < end, "its child is still running"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    """Whether the process runs; one that nobody has waited for is dead, too."""
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_program_speaks_to_its_crew(tmp_path: Path) -> None:
    text = READ + (
        "    if message['do'] == 'choose':\n"
        "        orders = [o for o in message['orders'] if o['order'] != 'resign']\n"
        "        say = [{'phrase': 'which-way'}]\n"
        "        order = orders[-1] if orders else None\n"
        "        print(json.dumps({'order': order, 'say': say}), flush=True)\n"
        "    if message.get('said'):\n"
        f"        open({str(tmp_path / 'said')!r}, 'a').write(json.dumps(message['said']))\n"
    )
    match(CADET, program(tmp_path, text), players=4, seed=2).play()
    assert '{"seat": "blue/' in (tmp_path / "said").read_text()
    assert '"phrase": {"phrase": "which-way"}' in (tmp_path / "said").read_text()


def test_the_hull_is_traced_by_a_program(tmp_path: Path) -> None:
    text = READ + (
        "    if message['do'] == 'setup': hull = message['setup']['hull']['sections']\n"
        "    if message['do'] == 'choose':\n"
        "        orders = [o for o in message['orders'] if o['order'] != 'resign']\n"
        "        surface = [o for o in orders if o['order'] in ('surface', 'dive', 'ready')]\n"
        "        best = (surface or orders or [None])[-1]\n"
        "        if message.get('trace'):\n"
        "            n = message['trace'][0]\n"
        "            stroke = hull[n - 1] + hull[n - 1][:1]\n"
        "            best = dict(order='trace', section=n, stroke=stroke, initials='P')\n"
        "        print(json.dumps({'order': best}), flush=True)\n"
    )
    outcome = fate(tmp_path, text, mode=Mode.REAL_TIME)
    assert outcome.fault is None
    assert outcome.tallies.b.surfacings > 1


def test_a_program_that_can_not_be_started() -> None:
    with pytest.raises(ProgramFault, match="can't be started"):
        ProgramProcess(["/no/such/program"])
