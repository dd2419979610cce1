"""Whatever dies: nothing that anybody saw is lost or doubled, and every game goes on."""

import asyncio
from pathlib import Path

import pytest

from tests.server.faults import fault_story, standby_story
from tests.server.postgres import following, running


@pytest.mark.slow
def test_three_servers_and_their_database_die_one_after_another(tmp_path: Path) -> None:
    async def story() -> None:
        async with asyncio.timeout(300):
            with running() as postgres:
                found = await fault_story(
                    tmp_path, postgres, games=30, rounds=1, stopped=0.0, rest=0.5
                )
        assert found["games"] >= 30
        assert found["acknowledged"] >= 4 * 40
        assert found["steps"] >= found["acknowledged"]
        assert found["unsaved"] > 0

    asyncio.run(story())


@pytest.mark.slow
def test_a_standby_takes_over_and_nothing_is_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with asyncio.timeout(300):
            with running() as primary, following(primary) as standby:
                found = await standby_story(tmp_path, primary, standby, games=4, rest=0.3)
        assert found["games"] == 4
        assert found["acknowledged"] >= 2 * 5

    asyncio.run(story())
