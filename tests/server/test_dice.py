"""A table's bots roll dice of a secret that no client, lobby, record or log line ever shows."""

import json
import logging
from pathlib import Path

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.game import DOCK
from fathom.server import wire
from fathom.server.log import StoredTable
from fathom.server.wire import Settings
from fathom.words import Crew, Post, Seat
from tests.server.logs import sqlite
from tests.server.serving import Server, begun, holds, run, serving

ENSIGNS = Settings(pace="at-once", rank=Rank.ENSIGN)
TABLES = 24


async def bots_alone(server: Server, host: Client) -> tuple[str, str]:
    """A game of bots on both sides, which its host watches: they would rest otherwise."""
    code = await server.table(host, ENSIGNS)
    await host.do(wire.Start(table=code, fill=True))
    await host.until(lambda: bool(host.tables[code].game))
    return code, host.tables[code].game or ""


def start_of(server: Server, game: str, crew: Crew) -> int:
    """Where a submarine began, or the dock if it has not yet."""
    route = server.harbour.duels[game].game.boats[crew].helm.route
    return route[0] if route else DOCK


async def started(server: Server, game: str, crew: Crew) -> int:
    await holds(lambda: start_of(server, game, crew) != DOCK)
    return start_of(server, game, crew)


def test_bot_captains_of_both_crews_begin_on_different_points(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            pairs = []
            for _ in range(TABLES):
                code, game = await bots_alone(server, ann)
                pairs.append([await started(server, game, crew) for crew in Crew])
                await ann.do(wire.CloseTable(table=code))
            # By chance about one table in a hundred; nine of them, never.
            assert sum(a == b for a, b in pairs) < 9, pairs

    run(story())


def test_a_bot_begins_every_rematch_elsewhere(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, ENSIGNS, solo=True)
            code, starts, games = made.table, set[int](), set[str]()
            await ann.open(code)
            for _ in range(10):
                await ann.until(lambda: ann.tables[code].game not in games | {None})
                game = ann.tables[code].game or ""
                games.add(game)
                await ann.until(lambda: game in ann.games)  # noqa: B023
                starts.add(await started(server, game, Crew.B))
                await ann.order(game, give.RESIGN)
                await ann.do(wire.Rematch(table=code, at_once=True))
            assert len(starts) > 3, starts

    run(story())


def test_after_a_restart_the_same_bots_roll_the_same_dice(tmp_path: Path) -> None:
    seeds: list[dict[Seat, tuple[int, float]]] = []

    async def story() -> None:
        token = code = ""
        for _ in range(2):
            async with serving(tmp_path, bot_processes=1) as server:
                if not token:
                    ann = await server.player("Ann")
                    token = ann.token
                    code = await server.table(ann, Settings(rank=Rank.CADET))
                    sit = wire.Sit(table=code, crew=Crew.A, posts=(Post.CAPTAIN,))
                    await ann.do(sit)
                    await ann.do(wire.Start(table=code, fill=True))
                else:
                    ann = await server.tab(token)
                    await ann.open(code)
                room = server.harbour.rooms[code]
                await holds(lambda: len(room.hands) == 2)  # noqa: B023
                seeds.append({s: (h.seed(), h.seed_for("pace")) for s, h in room.hands.items()})

    run(story())
    assert seeds[0] == seeds[1]
    different = {seed for pair in seeds[0].values() for seed in pair}
    assert len(different) == 4


def test_a_table_from_before_there_were_secrets_gets_one_and_its_game_goes_on(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, ENSIGNS, solo=True)
            await ann.open(made.table)
            game = await begun([ann], made.table)
        async with sqlite(tmp_path) as log:
            stored = await log.table(made.table)
            assert stored is not None
            body = json.loads(stored.body)
            assert len(bytes.fromhex(body.pop("secret"))) == 32
            body["version"] += 1
            old = json.dumps(body).encode()
            newer = StoredTable(stored.code, body["version"], stored.phase, old)
            await log.save_table(newer, stored.version, (body["host"],))
        async with serving(tmp_path, bot_processes=1) as server:
            back = await server.tab(ann.token)
            await back.open(made.table)
            await begun([back], made.table)
            secret = server.harbour.rooms[made.table].table.secret
            assert len(bytes.fromhex(secret)) == 32
            await started(server, game, Crew.B)
        async with sqlite(tmp_path) as log:
            stored = await log.table(made.table)
            assert stored is not None
            assert json.loads(stored.body)["secret"] == secret

    run(story())


def test_the_secret_reaches_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann, eve = await server.player("Ann"), await server.player("Eve")
            seen: list[str] = []
            for client in (ann, eve):
                client.raw.append(seen.append)
            await eve.do(wire.FollowLobby())
            made = await fathom_client.new_table(server.url, ann.token, ENSIGNS, solo=True)
            code = made.table
            await ann.open(code)
            game = await begun([ann], code)
            await eve.open(code)
            room = server.harbour.rooms[code]
            await started(server, game, Crew.B)
            secrets = [room.table.secret, str(room.table.seed)]
            secrets += [f"{hand.seed()}" for hand in room.hands.values()]
            secrets += [f"{hand.seed():x}" for hand in room.hands.values()]
            assert len(secrets) >= 4
            await ann.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")
            record = f"/api/games/{game}"
            for path in (f"/api/tables/{code}", "/api/lobby", record, f"{record}/logbook"):
                async with aiohttp.request("GET", server.url + path) as answer:
                    assert answer.status == 200
                    seen.append(await answer.text())
            written = "\n".join([*seen, *(record.getMessage() for record in caplog.records)])
            assert '"type":"told"' in written
            assert not [secret for secret in secrets if secret in written]

    with caplog.at_level(logging.DEBUG):
        run(story())
