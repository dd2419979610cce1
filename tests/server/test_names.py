"""Names: any script, and emoji; nothing that nobody sees, and nothing that covers other lines."""

import json
from pathlib import Path

import pytest

from fathom import client as fathom_client
from fathom.client import Failed
from fathom.server import wire
from fathom.server.identity import checked_name
from fathom.server.troubles import Trouble
from fathom.words import Crew
from tests.server.serving import run, serving, started

NAMES = json.loads((Path(__file__).parents[2] / "web" / "tests" / "names.json").read_text("utf-8"))
"""The browser's tests read it, too."""


@pytest.mark.parametrize("name", NAMES["fine"], ids=ascii)
def test_names_that_people_have(name: str) -> None:
    assert checked_name(f"  {name} ") == name


@pytest.mark.parametrize("name", NAMES["wrong"], ids=ascii)
def test_names_that_nobody_can_see_or_that_cover_others(name: str) -> None:
    with pytest.raises(Trouble, match="bad-name"):
        checked_name(name)


def test_people_and_boats_with_joined_names_play(tmp_path: Path) -> None:
    persian, emoji = (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f469\u200d\U0001f680",
    )

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            players = [await server.player(name) for name in (persian, emoji)]
            code = await server.table(players[0])
            await players[0].do(wire.NameBoat(table=code, crew=Crew.A, boat=emoji))
            with pytest.raises(Failed, match="bad-name"):
                await players[0].do(wire.NameBoat(table=code, crew=Crew.A, boat="\u3164"))
            game = await started(players, code)
            assert players[0].games[game].opened.setup.crews[Crew.A].boat == emoji
            with pytest.raises(Failed, match="bad-name"):
                await fathom_client.register(server.url, "\u2800")

    run(story())
