"""``fathom mcp``: a language model's program holds a seat at a real server's table."""

import asyncio
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fathom.engine import orders as give
from fathom.server import wire
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.serving import begun, run, serving

if find_spec("mcp") is None:
    pytest.skip("the extra lab is not installed", allow_module_level=True)

from mcp import Client, StdioServerParameters

SIMPLE = (give.Dive, give.SetCourse, give.EndTurn)
TOOLS = {"view", "legal_orders", "order", "wait", "talk", "rule"}


def command(link: str, *options: str) -> StdioServerParameters:
    arguments = ["-m", "fathom.cli", "mcp", link, "--name", "Model", *options]
    return StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))


async def call(model: Any, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await model.call_tool(tool, arguments)
    assert not result.is_error, result
    content: dict[str, Any] = result.structured_content
    answer: dict[str, Any] = content.get("result", content)
    return answer


@pytest.mark.slow
def test_a_model_looks_orders_hears_and_talks(tmp_path: Path) -> None:
    dice = Random(3)

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            code = await server.table(ann, Settings(rulebook="sonar", first=Crew.B))
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            async with Client(command(f"{server.url}/t/{code}", "--crew", "b")) as model:
                assert {tool.name for tool in (await model.list_tools()).tools} == TOOLS
                assert "submarine" in (model.instructions or "")
                assert "not begun" in (await call(model, "view"))["phase"]
                await ann.until(lambda: ann.tables[code].obstacle is None, 30)
                await ann.do(wire.Start(table=code))
                game = await begun([ann], code)
                await play(model, ann, game, dice)
                await talk(model, ann, code)
                await ann.order(game, give.RESIGN)
                for _ in range(20):
                    if (await call(model, "wait", seconds=5))["over"]:
                        break
                assert (await call(model, "order", order={"order": "surface"}))["done"] is False

    run(story())


async def play(model: Any, ann: Any, game: str, dice: Random) -> None:
    """Both crews play some turns; the model knows its own sheets alone."""
    heard: list[Any] = []
    courses = 0
    for _ in range(60):
        if courses == 3:
            break
        offered = [o for o in ann.games[game].offer.orders if isinstance(o, SIMPLE)]
        if offered:
            await ann.order(game, dice.choice(offered))
        news = await call(model, "wait", seconds=0.2)
        heard += news["news"]
        listed = (await call(model, "legal_orders")).get("orders", [])
        wanted = [order for order in listed if order["order"] in ("dive", "course", "end-turn")]
        if wanted:
            assert await call(model, "order", order=wanted[0]) == {"done": True}
            courses += wanted[0]["order"] == "course"
    assert courses == 3
    seen = await call(model, "view")
    assert seen["you"] == {"crew": "b", "number": 0}
    assert seen["sees"]["helm"]["at"]
    assert "boats" not in seen["sees"]
    assert any(line.get("event", {}).get("crew") == "a" for line in heard)
    refused = await call(model, "order", order={"order": "dive"})
    assert refused["done"] is False
    explained = await call(model, "rule", name=refused["rule"])
    assert explained["text"]
    assert "no rule is called" in (await call(model, "rule", name="castling"))["error"]
    assert "not understood" in (await call(model, "order", order={"order": "castle"}))["why"]


async def talk(model: Any, ann: Any, code: str) -> None:
    """A line to everyone reaches the enemy, one to the crew does not."""
    lines: list[str] = []
    ann.listeners.append(
        lambda news: lines.append(news.text) if isinstance(news, wire.ChatLine) else None
    )
    assert await call(model, "talk", text="Only for us") == {"done": True}
    assert await call(model, "talk", text="Good luck", to="everyone") == {"done": True}
    await ann.until(lambda: "Good luck" in lines)
    assert "Only for us" not in lines
    await ann.do(wire.SayWords(table=code, channel="table", text="You too"))
    said: list[str] = []
    for _ in range(20):
        if "You too" in said:
            return
        news = await call(model, "wait", seconds=5)
        said += [line["said"]["text"] for line in news["news"] if "said" in line]
    raise AssertionError(said)


@pytest.mark.slow
def test_a_link_that_is_none_is_said_to_be_none() -> None:
    async def story() -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fathom.cli", "mcp", "http://127.0.0.1:1/x"),
            stderr=asyncio.subprocess.PIPE,
        )
        _, complaint = await process.communicate()
        assert process.returncode == 1
        assert b"no table's link" in complaint

    run(story())


@pytest.mark.slow
def test_a_server_that_is_not_there_is_said_to_be_away() -> None:
    async def story() -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fathom.cli", "mcp", "http://127.0.0.1:1/t/K7QMX"),
            stdin=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        _, complaint = await process.communicate()
        assert process.returncode == 1
        assert b"the server can't be reached" in complaint

    run(story())
