"""``fathom admin`` against a real server: every action, and what is said when it can't be done."""

import asyncio
import json
from pathlib import Path

import pytest

from fathom import client as fathom_client
from fathom.cli.admin import REQUESTS
from fathom.client import Client
from fathom.server import wire
from fathom.words import Crew
from tests.cli.running import Ran, fathom
from tests.server.crashes import ServerProcess
from tests.server.serving import run

TOKEN = "an-operators-token-of-this-server"  # noqa: S105


async def admin(server: ServerProcess, *arguments: str, token: str = TOKEN) -> Ran:
    env = {"FATHOM_OPERATOR_TOKEN": token, "FATHOM_PORT": str(server.port)}
    return await asyncio.to_thread(fathom, "admin", *arguments, env=env)


async def said(server: ServerProcess, *arguments: str) -> str:
    """What an action prints that works."""
    done = await admin(server, *arguments)
    assert done.code == 0, done.err
    used.add(arguments[0])
    return done.out


used: set[str] = set()


async def refuses(server: ServerProcess, folder: Path) -> None:
    """What can't be done is said in one line."""
    for arguments, words in (
        (("player", "nobody-at-all"), "unknown-player"),
        (("close", "ZZZZZ", "--yes"), "unknown-table"),
        (("unban", "ABCDEFGH"), "unknown-entry"),
        (("announce",), "say what to announce"),
        (("ban", "--address", "0.0.0.0/0", "--reason", "x"), "bad-message"),
        (("status", "--server", "http://127.0.0.1:9"), "does not answer"),
        (("status", "--token-file", str(folder / "none")), "can't be read"),
    ):
        done = await admin(server, *arguments)
        assert (done.code, done.err.count("\n")) == (1, 1), done
        assert words in done.err
    done = await admin(server, "status", token="not-the-token-of-this-server")  # noqa: S106
    assert "does not know this operator's token" in done.err


@pytest.mark.slow
def test_an_operator_keeps_order_from_a_shell(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path / "data", FATHOM_OPERATOR_TOKEN=TOKEN)
        await server.start()
        ann, bob = [await fathom_client.register(server.url, name) for name in ("Ann", "Bob")]
        code = (await fathom_client.new_table(server.url, ann.token)).table
        async with Client(server.url, ann.token) as at_table, Client(server.url, bob.token) as bobs:
            for client, crew in ((at_table, Crew.A), (bobs, Crew.B)):
                await client.open(code)
                await client.do(wire.Sit(table=code, crew=crew))
            await bobs.do(wire.SayWords(table=code, channel="table", text="Bad words"))
            await at_table.until(lambda: at_table.chat.get(code) == 1)
            await at_table.do(wire.Report(table=code, lines=(1,), why="insult", text="Rude"))
            assert "1 tables" in await said(server, "status")
            out = await said(server, "players", "bo")
            assert (bob.you in out, ann.you in out) == (True, False)
            assert code in await said(server, "tables")
            assert "Nothing found." in await said(server, "games")
            out = await said(server, "reports")
            assert ("Bad words" in out, "Rude" in out) == (True, True)
            report = out.split()[0]
            assert "Bad words" in await said(server, "chat", code.lower())
            await said(server, "remove-lines", code, "1")
            assert "(removed)" in await said(server, "chat", code)
            await said(server, "close-report", report.lower())
            assert report in await said(server, "reports", "--closed")
            await said(server, "rename", bob.you, "Robert")
            assert "Robert" in await said(server, "player", bob.you)
            assert "New maps" in await said(server, "announce", "--in", "10m", "New maps")
            assert "Nothing is announced." in await said(server, "announce", "--clear")
            out = await said(server, "ban", "--player", bob.you, "--for", "7d", "--reason", "Rude")
            ban = out.splitlines()[1].split()[0]
            listed = json.loads(await said(server, "bans", "--json"))
            assert [one["id"] for one in listed["bans"]] == [ban]
            await said(server, "unban", ban)
            await said(server, "ban", "--address", "203.0.113.0/24", "--reason", "Robots")
            assert "--yes" in (await admin(server, "delete", bob.you)).err
            await said(server, "delete", bob.you, "--yes")
            assert "Nothing found." in await said(server, "players", "Robert")
            await said(server, "close", code, "--yes")
            solo = await fathom_client.new_table(server.url, ann.token, solo=True)
            await at_table.open(solo.table)
            assert "drains" in await said(server, "drain", "--within", "2h")
            assert "serves" in await said(server, "drain", "--cancel")
            notes = await said(server, "audit")
            for action in ("drain", "close-table", "delete-player", "ban", "read-chat"):
                assert action in notes
        assert used == set(REQUESTS), "every action was tried"

        await refuses(server, tmp_path)
        assert await server.stop() == 0

    run(story())


def test_an_operator_needs_a_token() -> None:
    done = fathom("admin", "players")
    assert done.code == 1
    assert "FATHOM_OPERATOR_TOKEN" in done.err


def test_a_time_is_a_number_with_a_unit() -> None:
    done = fathom("admin", "drain", "--within", "soon")
    assert done.code == 2
    assert "write 90, 10m, 2h or 7d" in done.err
