"""The bench drives a real server: a short run of it measures something."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.server.__main__ import ROUNDS
from bench.server.scripts import EIGHT, TWO, Format, write_scripts

ROOT = Path(__file__).parents[2]
SHORT = "--seconds 1 --clients 16 --rate 40 --games 8"


@pytest.mark.parametrize("form", [EIGHT, TWO], ids=["eight", "two"])
def test_scripts_are_long_and_heard_by_both_sides(form: Format) -> None:
    (script,) = write_scripts(form, 1, 300)
    assert len(script) == 300
    assert {cue.seat for cue in script} == set(range(form.seats))
    assert all(cue.enemy <= cue.told for cue in script)
    assert 50 < sum(cue.enemy > 0 for cue in script) < 250


def bench(options: str) -> str:
    """What a short run of the bench prints."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "bench.server", *SHORT.split(), *options.split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def measured(printed: str) -> list[str]:
    """What was measured, each with orders and a cost."""
    lines = [line for line in printed.splitlines() if re.match(r"\d+ of ", line)]
    for line in lines:
        orders, _, _, cost = (float(cell.replace(",", "")) for cell in line.split()[-8:-4])
        assert orders > 0
        assert cost > 0
    return [line.split("  ")[0] for line in lines]


def bars(printed: str) -> list[str]:
    """The bars and their verdicts."""
    found = printed.partition("The bars:")[2].strip().splitlines()
    assert all(bar.endswith("ept.") for bar in found)
    return found


EIGHTS, TWOS = "2 of eight seats, real time", "8 of two seats, turn by turn"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the bench asks /proc")
def test_a_short_run_of_the_bench() -> None:
    printed = bench("")
    assert measured(printed) == [EIGHTS, TWOS, *[EIGHTS] * ROUNDS, TWOS]
    assert [bar.partition(" ")[0] for bar in bars(printed)] == ["40", "8", "under"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the bench asks /proc")
def test_a_short_run_on_postgresql_with_two_processes() -> None:
    printed = bench("--log postgresql --processes 2")
    assert measured(printed) == [EIGHTS, TWOS, TWOS, TWOS]
    assert [bar.split(": ")[1] for bar in bars(printed)] == [
        "5,000 durable orders/s",
        "CPU/order at most 1.5 times",
        "8 games at one order a second, p99 under 50 ms",
    ]
