"""All cores play, and a worker that dies takes only its own game with it."""

import os
import signal
import time
from pathlib import Path

import pytest

from fathom.arena import pool
from fathom.arena.pool import Crashed, Pool

pytestmark = pytest.mark.slow


def double(job: bytes, number: int) -> bytes:
    return b"%s %d" % (job, 2 * number)


def die_on_three(job: bytes, number: int) -> bytes:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return b"%d" % number


def die_once(job: bytes, number: int) -> bytes:
    sign = Path(job.decode()) / str(number)
    if number % 2 and not sign.exists():
        sign.touch()
        os._exit(9)
    return b"%d" % number


def fail_on_two(job: bytes, number: int) -> bytes:
    if number == 2:
        raise ValueError("no chart")
    return b"%d" % number


def hang_on_one(job: bytes, number: int) -> bytes:
    if number == 1:
        time.sleep(600)
    return b"%d" % number


def slow(job: bytes, number: int) -> bytes:
    time.sleep(0.2)
    return b"%d" % number


def test_every_game_has_its_line() -> None:
    lines = dict(Pool(double, b"job", 2).run(range(20)))
    assert lines == {number: b"job %d" % (2 * number) for number in range(20)}


def test_a_game_that_kills_its_worker_twice_is_put_down_as_crashed() -> None:
    lines = dict(Pool(die_on_three, b"", 2).run(range(8)))
    assert lines.pop(3) == "its process ended with code -9"
    assert lines == {number: b"%d" % number for number in range(8) if number != 3}


def test_a_game_whose_worker_died_is_played_again(tmp_path: Path) -> None:
    lines = dict(Pool(die_once, str(tmp_path).encode(), 2).run(range(6)))
    assert lines == {number: b"%d" % number for number in range(6)}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1", "3", "5"]


def test_a_fault_of_the_arena_costs_one_game_and_is_kept() -> None:
    lines = dict(Pool(fail_on_two, b"", 1).run(range(4)))
    why = lines.pop(2)
    assert isinstance(why, Crashed)
    assert "ValueError: no chart" in why
    assert lines == {0: b"0", 1: b"1", 3: b"3"}


def test_a_worker_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "GAME_SECONDS", 1.5)
    monkeypatch.setattr(pool, "POLL_SECONDS", 0.1)
    lines = dict(Pool(hang_on_one, b"", 2).run(range(4)))
    assert isinstance(lines[1], Crashed)
    assert lines[1] == "it did not end in time"
    assert len(lines) == 4


def test_when_time_is_up_no_game_is_begun() -> None:
    lines = dict(Pool(slow, b"", 2).run(range(1000), 1.5))
    assert 0 < len(lines) < 100


def test_who_stops_asking_leaves_no_worker_behind() -> None:
    running = Pool(slow, b"", 2)
    games = running.run(range(100))
    next(games)
    processes = [worker.process for worker in (*running.busy, *running.idle)]
    games.close()
    assert all(process.exitcode is not None for process in processes)
