"""An unlisted table is found by its link; its code alone is for friends while it gathers."""

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec
import pytest

from fathom import client as fathom_client
from fathom.client import Client
from fathom.server import table as at
from fathom.server import wire
from fathom.server.limits import Rate
from fathom.server.wire import Person, Settings, TableMade
from fathom.words import Crew
from tests.server.serving import QUICK, Server, holds, run, serving
from tests.server.test_devices import refusal

UNLISTED = msgspec.structs.replace(QUICK, listed=False)
PATHS = ("/api/tables/{}", "/api/tables/{}/link", "/api/tables/{}/qr.svg")
NOBODYS = "ZZZZZ"


async def playing(server: Server, settings: Settings = UNLISTED) -> tuple[Client, TableMade]:
    """A host at a table where a game is under way."""
    ann = await server.player("Ann")
    made = await fathom_client.new_table(server.url, ann.token, settings, solo=True)
    await ann.open(made.table)
    return ann, made


def key_of(link: str) -> str:
    return urlsplit(link).fragment


async def get(server: Server, path: str, **headers: str) -> tuple[int, bytes]:
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(server.url + path) as answer,
    ):
        return answer.status, await answer.read()


def test_the_link_of_an_unlisted_table_carries_a_key(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            listed = await fathom_client.new_table(server.url, ann.token)
            assert listed.link == f"{server.url}/t/{listed.table}"
            hidden = await fathom_client.new_table(server.url, ann.token, UNLISTED)
            other = await fathom_client.new_table(server.url, ann.token, UNLISTED)
            assert hidden.link.startswith(f"{server.url}/t/{hidden.table}#")
            assert len(key_of(hidden.link)) == 22
            assert key_of(hidden.link) != key_of(other.link)
            # Whoever is at the table can ask others in.
            await ann.open(hidden.table)
            assert ann.tables[hidden.table].key == key_of(hidden.link)
            await ann.open(listed.table)
            assert ann.tables[listed.table].key is None

    run(story())


def test_a_code_read_aloud_opens_a_table_that_gathers(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            code = await server.table(ann, UNLISTED)
            bob, eve = await server.player("Bob"), await server.player("Eve")
            await bob.open(code)
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            watcher = await server.player("Watcher")
            await watcher.open(code)
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            for player in (ann, bob):
                await player.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            assert await refusal(eve.open(code)) == "unknown-table"
            # Who was there comes back: by a post, or by the key that they were told.
            for client in (bob, watcher):
                assert client.socket is not None
                comings = client.comings
                await client.socket.close()
                await client.until(lambda: client.comings > comings)  # noqa: B023
            guests = server.harbour.rooms[code].guests
            await holds(lambda: {guest.name for guest in guests} == {"Ann", "Bob", "Watcher"})

    run(story())


def test_a_stranger_learns_nothing_of_an_unlisted_table(tmp_path: Path) -> None:
    """The code of a table where a game is under way is answered as one that nobody has."""

    async def story() -> None:
        async with serving(tmp_path, rates={"guesses": Rate(100, 1)}) as server:
            _, made = await playing(server)
            eve = await server.player("Eve")
            theirs = {"Authorization": f"Bearer {eve.token}"}
            for path in PATHS:
                for headers in ({}, theirs, {"Authorization": "Bearer " + "x" * 32}):
                    there = await get(server, path.format(made.table), **headers)
                    assert there == await get(server, path.format(NOBODYS), **headers)
                    assert there[0] == 404
            assert await said(eve, made.table) == await said(eve, NOBODYS)
            wrong = "0" * 22
            assert await refusal(eve.open(made.table, key=wrong)) == "unknown-table"
            assert (await get(server, f"/api/tables/{made.table}?key={wrong}"))[0] == 404
            assert (await get(server, f"/api/tables/{made.table}?key=%ff%00"))[0] == 404

    run(story())


async def said(client: Client, code: str) -> dict[str, Any]:
    """All that a client is told when it opens a table, but for its own id."""
    told: list[dict[str, Any]] = []
    client.raw.append(lambda text: told.append(msgspec.json.decode(text)))
    await client.ask(wire.OpenTable(table=code))
    client.raw.pop()
    (answer,) = [news for news in told if news["type"] != "pong"]
    del answer["id"]
    return answer


def test_who_has_the_link_or_a_post_comes_in(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, made = await playing(server)
            mine = {"Authorization": f"Bearer {ann.token}"}
            key = key_of(made.link)
            for path in PATHS:
                place = path.format(made.table)
                assert (await get(server, place, **mine))[0] == 200
                assert (await get(server, f"{place}?key={key}"))[0] == 200
            _, told = await get(server, f"/api/tables/{made.table}/link?key={key}")
            assert msgspec.json.decode(told, type=TableMade) == made
            eve = await server.player("Eve")
            await eve.open(made.table, key=key)
            assert eve.tables[made.table].key == key
            # Another table's key is of no use.
            _, other = await playing(server)
            bob = await server.player("Bob")
            assert await refusal(bob.open(other.table, key=key)) == "unknown-table"

    run(story())


def test_a_program_for_another_table_is_a_stranger_here(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, made = await playing(server)
            elsewhere = await server.table(ann)
            scopes = (wire.Scope(play=elsewhere), wire.Scope(games=True), wire.Scope(made.table))
            answers = []
            for scope in scopes:
                program = await fathom_client.new_program(server.url, ann.token, "Bot", scope)
                headers = {"Authorization": f"Bearer {program.token}"}
                answers.append((await get(server, f"/api/tables/{made.table}", **headers))[0])
            assert answers == [404, 404, 200]
            # Nobody makes a token for a table of which they may not know.
            eve = await server.player("Eve")
            asked = fathom_client.new_program(server.url, eve.token, "Spy", wire.Scope(made.table))
            assert await refusal(asked) == "unknown-table"

    run(story())


def test_a_table_from_before_there_were_keys_gets_one(tmp_path: Path) -> None:
    old = at.new_table("AAAAA", Person("ann-bonny", "Ann"), UNLISTED, 0)
    old = msgspec.structs.replace(old, secret="")
    assert at.link_key(old) == ""
    assert not at.is_open_to(old, "eve", "")

    async def story() -> None:
        async with serving(tmp_path) as server:
            await server.harbour.log.save_table(at.stored(old), 0, ("ann-bonny",))
            bob = await server.player("Bob")
            await bob.open("AAAAA")
            assert bob.tables["AAAAA"].key == at.link_key(server.harbour.rooms["AAAAA"].table)
            assert bob.tables["AAAAA"].key

    run(story())


# Guessing

FEW = {"guesses": Rate(3, 1e-6), "all_guesses": Rate(5, 1e-6)}
"""Wrong codes in a test: three of each address, five of all."""


async def tried(session: aiohttp.ClientSession, code: str, address: str) -> int:
    """The answer to a code that somebody tries from an address."""
    headers = {"X-Forwarded-For": address}
    async with session.get(f"/api/tables/{code}", headers=headers) as answer:
        return answer.status


def test_codes_are_not_guessed_by_one_address(tmp_path: Path) -> None:
    async def story() -> None:
        config = {"rates": {**FEW, "all_guesses": Rate(1000, 1)}, "trusted_proxies": ("127.0.0.1",)}
        async with serving(tmp_path, **config) as server, aiohttp.ClientSession(server.url) as http:
            tries = [await tried(http, NOBODYS, "192.0.2.1") for _ in range(5)]
            assert tries == [404] * 3 + [429] * 2
            assert await tried(http, NOBODYS, "192.0.2.2") == 404
            # A household has a whole subnet of IPv6.
            tries = [await tried(http, NOBODYS, f"2001:db8::{n}") for n in range(1, 6)]
            assert tries == [404] * 3 + [429] * 2
            assert await tried(http, NOBODYS, "2001:db8:0:1::1") == 404
            # The sockets of an address count with its requests.
            eve = await server.player("Eve")
            errors = [await refusal(eve.open(NOBODYS)) for _ in range(5)]
            assert errors == ["unknown-table"] * 3 + ["too-many-messages"] * 2
            assert await tried(http, NOBODYS, "127.0.0.1") == 429

    run(story())


def test_codes_are_not_guessed_by_everybody_together(tmp_path: Path) -> None:
    async def story() -> None:
        config = {"rates": FEW, "trusted_proxies": ("127.0.0.1",)}
        async with serving(tmp_path, **config) as server, aiohttp.ClientSession(server.url) as http:
            ann, made = await playing(server)
            gathering = await fathom_client.new_table(server.url, ann.token, UNLISTED)
            listed = await fathom_client.new_table(server.url, ann.token, QUICK)
            assert await tried(http, gathering.table, "192.0.2.1") == 200
            tries = [await tried(http, NOBODYS, f"192.0.2.{n}") for n in range(2, 9)]
            assert tries == [404] * 5 + [429] * 2
            # Now nobody is told which codes there are, nor whether a game is under way there.
            for code in (gathering.table, made.table, NOBODYS):
                assert await tried(http, code, "192.0.2.100") == 429
            bob = await server.player("Bob")
            assert await refusal(bob.open(gathering.table)) == "too-many-messages"
            # Links work, and what is listed, and what is one's own.
            await bob.open(gathering.table, key=key_of(gathering.link))
            assert await tried(http, listed.table, "192.0.2.100") == 200
            await (await server.tab(ann.token)).open(made.table)

    run(story())


def test_right_codes_are_no_guesses(tmp_path: Path) -> None:
    """A whole school behind one address joins by codes that are read aloud."""

    async def story() -> None:
        async with serving(tmp_path, rates=FEW) as server:
            ann = await server.player("Ann")
            code = await server.table(ann, UNLISTED)
            pupils = await asyncio.gather(*(server.player(f"Pupil {n}") for n in range(8)))
            for pupil in pupils:
                await pupil.open(code)

    run(story())


@pytest.mark.parametrize("forged", ["", "203.0.113.9, ", "2001:db8::1, 10.0.0.2, "])
def test_limits_count_the_client_behind_two_proxies(tmp_path: Path, forged: str) -> None:
    """What a client writes into the header itself does not make it another."""

    async def story() -> None:
        config = {"rates": FEW, "trusted_proxies": ("127.0.0.1", "10.0.0.0/8")}
        async with serving(tmp_path, **config) as server, aiohttp.ClientSession(server.url) as http:
            for number in range(4):
                chain = f"{forged.replace('9', str(number))}192.0.2.1, 10.0.0.7"
                assert await tried(http, NOBODYS, chain) == (404 if number < 3 else 429)
            assert await tried(http, NOBODYS, "192.0.2.2, 10.0.0.7") == 404

    run(story())


def test_who_is_no_proxy_is_not_believed(tmp_path: Path) -> None:
    async def story() -> None:
        config = {"rates": FEW, "trusted_proxies": ("10.0.0.0/8",)}
        async with serving(tmp_path, **config) as server, aiohttp.ClientSession(server.url) as http:
            tries = [await tried(http, NOBODYS, f"192.0.2.{n}") for n in range(4)]
            assert tries == [404] * 3 + [429]

    run(story())
