"""Endless tasks: whatever happens to them, they go on, or the server says that they can't."""

import asyncio
import logging
from random import Random

import pytest

from fathom.server import supervise
from fathom.server.supervise import FIRST_PAUSE, LONGEST_PAUSE, MANY, Supervisor
from tests.server.serving import holds, run


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(supervise, "LONGEST_PAUSE", 0.002)


def test_a_task_that_fails_is_started_again_noted_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    times = 0

    async def work() -> None:
        nonlocal times
        times += 1
        if times < 3:
            raise OSError(24, "Too many open files")
        await asyncio.sleep(3600)

    async def story() -> None:
        supervisor = Supervisor()
        supervisor.start("sweep", work)
        await holds(lambda: times == 3)
        assert supervisor.restarts == 2
        assert supervisor.failing() == ()
        await supervisor.close()
        assert supervisor.tasks == {}

    with caplog.at_level(logging.ERROR):
        run(story())
    assert caplog.text.count("the task sweep failed; it is started again") == 2
    assert "Too many open files" in caplog.text


def test_a_task_that_returns_is_started_again(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        return

    async def story() -> None:
        supervisor = Supervisor()
        supervisor.start("short", work)
        await holds(lambda: supervisor.restarts >= 3)
        await supervisor.close()

    run(story())
    assert "the task short ended" in caplog.text


def test_a_task_that_can_not_go_on_is_named_until_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = True

    async def work() -> None:
        if broken:
            raise RuntimeError("broken")
        await asyncio.sleep(3600)

    async def story() -> None:
        nonlocal broken
        supervisor = Supervisor()
        supervisor.start("bell", work)
        await holds(lambda: supervisor.failing() == ("bell",))
        assert supervisor.restarts >= MANY
        broken = False
        await holds(lambda: supervisor.supervised["bell"].since is not None)
        # It runs again, and is believed after a while.
        assert supervisor.failing() == ("bell",)
        monkeypatch.setattr(supervise, "SOUND", 0.0)
        await holds(lambda: supervisor.failing() == ())
        await supervisor.close()

    run(story())


def test_pauses_grow_and_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "FIRST_PAUSE", FIRST_PAUSE)
    monkeypatch.setattr(supervise, "LONGEST_PAUSE", LONGEST_PAUSE)
    supervisor = Supervisor(Random(1))
    pauses = [supervisor.pause(failures) for failures in range(1, 60)]
    assert all(FIRST_PAUSE / 2 <= pause <= LONGEST_PAUSE for pause in pauses)
    assert pauses[0] <= FIRST_PAUSE
    assert min(pauses[20:]) >= LONGEST_PAUSE / 2
    assert len(set(pauses)) == len(pauses)
