"""Operators keep order over HTTP: on every process, with a note of who did what."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from fathom import client as fathom_client
from fathom.bots.phrases import WhichWay
from fathom.client import Client, Failed
from fathom.engine import orders as give
from fathom.server import deletion, wire
from fathom.server.bans import Bans, network_of
from fathom.server.chat_moderation import NOBODY
from fathom.server.config import BadConfig, read_config
from fathom.server.duel import HEADERS
from fathom.server.limits import Rate
from fathom.server.log import Change, StoredTable
from fathom.server.moderation_log import Ban
from fathom.server.troubles import Trouble
from fathom.server.wire import encode
from fathom.words import Crew
from tests.server.crashes import ServerProcess
from tests.server.postgres import Postgres
from tests.server.serving import Server, duel_of, health, holds, run, serving
from tests.server.test_host import closed, gathered, you
from tests.server.test_many import seated, two_servers

TOKEN = "an-operators-token-of-this-server"  # noqa: S105
QUICK = wire.Settings(pace="at-once", first=Crew.A)


async def ask(
    server: Server | ServerProcess,
    method: str,
    path: str,
    body: Any = None,
    token: str = TOKEN,
) -> Any:
    """One request of an operator; what was answered, or ``Failed``."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, f"{server.url}{path}", json=body, headers=headers) as answer,
    ):
        found = await answer.json()
    if answer.status >= 400:
        raise Failed(found["error"], found.get("arguments", {}))
    return found


async def admin(server: Server | ServerProcess, method: str, path: str, body: Any = None) -> Any:
    return await ask(server, method, f"/api/admin/{path}", body)


def said(client: Client) -> list[wire.AnyNews]:
    """Everything that a client hears from now on."""
    heard: list[wire.AnyNews] = []
    client.listeners.append(heard.append)
    return heard


async def failure(client: Client) -> Failed:
    """Why a client was sent away for good."""
    await holds(lambda: client.failure is not None)
    assert isinstance(client.failure, Failed)
    return client.failure


# Who may


@pytest.mark.parametrize("path", ["players", "tables", "bans", "audit", "process"])
def test_only_operators_get_in(tmp_path: Path, path: str) -> None:
    async def story() -> None:
        async with serving(tmp_path / "off") as server:
            with pytest.raises(Failed, match="unknown-path"):
                await admin(server, "GET", path)
        operators = {"zoe": "another-token-for-zoe"}
        async with serving(tmp_path, operator_token=TOKEN, operators=operators) as server:
            ann = await server.player("Ann")
            for token in ("", "x", TOKEN[:-1], f"{TOKEN}x", ann.token, "é" * 20):
                with pytest.raises(Failed, match="bad-token"):
                    await ask(server, "GET", f"/api/admin/{path}", token=token)
            for token in (TOKEN, *operators.values()):
                await ask(server, "GET", f"/api/admin/{path}", token=token)

    run(story())


def test_a_token_that_is_too_short_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FATHOM_OPERATOR_TOKEN", "short")
    with pytest.raises(BadConfig, match="token of operator has 5 characters"):
        read_config()
    monkeypatch.delenv("FATHOM_OPERATOR_TOKEN")
    file = tmp_path / "fathom.toml"
    file.write_text('[operators]\nzoe = "zzz"\n')
    with pytest.raises(BadConfig, match="token of zoe"):
        read_config(str(file))


def test_every_change_leaves_a_note(tmp_path: Path) -> None:
    async def story() -> None:
        operators = {"zoe": "another-token-for-zoe"}
        async with serving(tmp_path, operator_token=TOKEN, operators=operators) as server:
            code, (ann, bob) = await gathered(server, "Ann", "Bob")
            await ask(
                server,
                "PATCH",
                f"/api/admin/players/{you(bob)}",
                {"name": "Robert"},
                token=operators["zoe"],
            )
            await admin(server, "DELETE", f"tables/{code}")
            with pytest.raises(Failed, match="unknown-table"):
                await admin(server, "DELETE", f"tables/{code}")
            notes = (await admin(server, "GET", "audit"))["notes"]
            assert [(note["by"], note["action"], note["target"]) for note in notes] == [
                ("operator", "close-table", code),
                ("zoe", "rename", you(bob)),
            ]
            assert notes[1]["detail"] == "Bob -> Robert"
            assert {note["address"] for note in notes} == {"127.0.0.1"}
            found = (await admin(server, "GET", f"audit?search={code}&most=5"))["notes"]
            assert found == notes[:1]
            assert ann.failure is None

    run(story())


# Looking


def test_players_tables_and_games_are_found(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            (found,) = (await admin(server, "GET", "players?search=player%201"))["players"]
            assert (found["who"], found["name"], found["here"]) == (you(ann), "Player 1", True)
            (table,) = (await admin(server, "GET", f"tables?search={code}"))["tables"]
            assert (table["phase"], table["host"], table["game"]) == ("playing", you(ann), game)
            assert [person["crew"] for person in table["persons"]] == ["a", "b"]
            (played,) = (await admin(server, "GET", f"games?search={you(bob)}"))["games"]
            assert (played["game"], played["over"]) == (game, False)
            assert played["players"] == [["Player 1"], ["Player 2"]]
            player = await admin(server, "GET", f"players/{you(bob)}")
            assert player["tables"] == [table]
            assert player["games"] == [played]
            with pytest.raises(Failed, match="unknown-player"):
                await admin(server, "GET", "players/nobody-at-all")
            for most in ("0", "501", "x"):
                with pytest.raises(Failed, match="bad-message"):
                    await admin(server, "GET", f"players?most={most}")

    run(story())


# Bans


def test_a_ban_closes_sockets_and_the_door(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            ann, bob = await server.player("Ann"), await server.player("Bob")
            second = await server.tab(bob.token)
            wanted = {"player": you(bob), "reason": "Insults", "seconds": 3600}
            ban = await admin(server, "POST", "bans", wanted)
            for client in (bob, second):
                why = await failure(client)
                assert why.error == "banned"
                assert why.arguments == {"reason": "Insults", "until": ban["until"]}
            with pytest.raises(Failed, match="banned"):
                await server.tab(bob.token)
            with pytest.raises(Failed, match="banned"):
                await fathom_client.new_table(server.url, bob.token)
            data = await ask(server, "GET", "/api/identity/data", token=bob.token)
            assert data["name"] == "Bob", "what is kept of him is still his"
            assert data["ban"] == ban
            assert ann.failure is None
            assert (await admin(server, "GET", "bans"))["bans"] == [ban]
            await admin(server, "DELETE", f"bans/{ban['id']}")
            with pytest.raises(Failed, match="unknown-entry"):
                await admin(server, "DELETE", f"bans/{ban['id']}")
            await server.tab(bob.token)

    run(story())


def test_a_ban_of_addresses_closes_sockets_and_the_door(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            ann = await server.player("Ann")
            ban = await admin(
                server, "POST", "bans", {"network": "127.0.0.0/8", "reason": "Robots"}
            )
            assert ban["until"] == 0
            assert (await failure(ann)).error == "banned"
            with pytest.raises(Failed, match="banned"):
                await fathom_client.register(server.url, "Bob")
            with pytest.raises(Failed, match="banned"):
                await server.tab(ann.token)
            assert await health(server.url) == (200, "ok")
            gone = {"name": "Ann"}
            data = await ask(server, "GET", "/api/identity/data", token=ann.token)
            assert data["name"] == "Ann"
            await ask(server, "DELETE", "/api/identity", gone, token=ann.token)
            await admin(server, "DELETE", f"bans/{ban['id']}")
            await server.player("Bob")
            for bad in ({}, {"player": you(ann), "network": "10.0.0.1"}, {"network": "10.0.0.1/2"}):
                with pytest.raises(Failed, match="bad-message"):
                    await admin(server, "POST", "bans", {"reason": "x", **bad})

    run(story())


def test_bans_survive_a_restart_and_run_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            bob = await server.player("Bob")
            await admin(server, "POST", "bans", {"player": you(bob), "reason": "x", "seconds": 99})
        async with serving(tmp_path, operator_token=TOKEN) as server:
            await holds(lambda: server.harbour.moderation.bans.players)
            with pytest.raises(Failed, match="banned"):
                await server.tab(bob.token)

    run(story())
    later = Ban("B", "bob", "", 1000, "x", 1, "op")
    assert Bans([later]).player("bob", 999) is later
    assert Bans([later]).player("bob", 1000) is None


@pytest.mark.parametrize(
    ("wanted", "network", "inside", "outside"),
    [
        ("203.0.113.9", "203.0.113.9/32", "203.0.113.9", "203.0.113.8"),
        ("203.0.113.9/24", "203.0.113.0/24", "203.0.113.255", "203.0.114.0"),
        ("2001:db8::1", "2001:db8::/64", "2001:db8::/64", "2001:db8:0:1::/64"),
        ("2001:db8::/32", "2001:db8::/32", "2001:db8:ffff::/64", "2001:db9::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9/32", "203.0.113.9", "2001:db8::/64"),
    ],
)
def test_networks_are_banned_as_they_are_counted(
    wanted: str, network: str, inside: str, outside: str
) -> None:
    assert network_of(wanted) == network
    bans = Bans([Ban("B", "", network, 0, "x", 1, "op")])
    assert bans.address(inside, 1) is not None
    assert bans.address(outside, 1) is None
    assert bans.address("no address", 1) is None


@pytest.mark.parametrize("bad", ["", "0.0.0.0/0", "10.0.0.0/33", "::/8", "host", "1.2.3.4/x"])
def test_what_is_no_network_or_too_wide_is_not_banned(bad: str) -> None:
    with pytest.raises(Trouble, match="bad-message"):
        network_of(bad)


# Chat


def test_a_report_holds_the_lines_and_the_operator_removes_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            code, _, players = await duel_of(server, size=2, settings=QUICK)
            ann, bob, eve, _ = players
            heard = {client: said(client) for client in players}
            for client, channel, text in (
                (ann, "table", "Ahoy"),
                (eve, "crew", "not for ann"),
                (bob, "crew", "Bad words"),
                (bob, "crew", "Worse words"),
                (bob, "table", "Fine"),
            ):
                await client.do(wire.SayWords(table=code, channel=channel, text=text))  # type: ignore[arg-type]
            await ann.until(lambda: chat_of(heard[ann]) == ANNS)
            report = wire.Report(table=code, lines=(2, 3), why="insult", text="Make it stop")
            await ann.do(report)
            for bad in ((5,), (0,)):
                with pytest.raises(Failed, match="unknown-entry"):
                    await ann.do(wire.Report(table=code, lines=bad, why="spam"))
            (found,) = (await admin(server, "GET", "reports"))["reports"]
            assert (found["by_name"], found["table"]) == ("Player 1", code)
            assert (found["report"]["why"], found["report"]["text"]) == ("insult", "Make it stop")
            lines = found["report"]["lines"]
            assert [(line["number"], line["text"]) for line in lines] == [
                (3, "Bad words"),
                (4, "Worse words"),
            ]
            assert {line["who"] for line in lines} == {you(bob)}
            with pytest.raises(Failed, match="unknown-entry"):
                await admin(server, "POST", f"tables/{code}/chat/remove", {"lines": [3, 9]})
            await admin(server, "POST", f"tables/{code}/chat/remove", {"lines": [3, 4]})
            for client in (ann, bob):
                await client.until(lambda: removed_of(heard[client]) == [2, 3])  # noqa: B023
            assert removed_of(heard[eve]) == []
            again = await server.tab(ann.token)
            lines_again = said(again)
            await again.open(code)
            assert chat_of(lines_again) == [(1, "Ahoy"), (2, ""), (3, ""), (4, "Fine")]
            marks = [news.removed for news in lines_again if isinstance(news, wire.ChatLine)]
            assert marks == [False, True, True, False]
            shown = (await admin(server, "GET", f"tables/{code}/chat"))["lines"]
            assert [line.get("text", "") for line in shown] == [
                "Ahoy",
                "not for ann",
                "",
                "",
                "Fine",
            ]
            await admin(server, "POST", f"reports/{found['id']}/close")
            assert (await admin(server, "GET", "reports"))["reports"] == []
            (shut,) = (await admin(server, "GET", "reports?state=closed"))["reports"]
            assert shut["closed_by"] == "operator"

    run(story())


ANNS = [(1, "Ahoy"), (2, "Bad words"), (3, "Worse words"), (4, "Fine")]


def lines_of(heard: list[wire.AnyNews]) -> list[wire.ChatLine]:
    return [news for news in heard if isinstance(news, wire.ChatLine)]


def chat_of(heard: list[wire.AnyNews]) -> list[tuple[int, str]]:
    return [(news.number, news.text) for news in heard if isinstance(news, wire.ChatLine)]


def removed_of(heard: list[wire.AnyNews]) -> list[int]:
    return [
        number for news in heard if isinstance(news, wire.LinesRemoved) for number in news.lines
    ]


def test_reports_are_limited(tmp_path: Path) -> None:
    async def story() -> None:
        rates = {"reports": Rate(1, 0.001)}
        async with serving(tmp_path, rates=rates, rate_factor=1.0) as server:
            code, (ann,) = await gathered(server, "Ann")
            await ann.do(wire.SayWords(table=code, channel="table", text="Hm"))
            await ann.do(wire.Report(table=code, lines=(1,), why="other"))
            with pytest.raises(Failed, match="too-many-messages"):
                await ann.do(wire.Report(table=code, lines=(1,), why="other"))

    run(story())


# Tables


def test_a_closed_table_is_gone_for_everyone(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            ends = [closed(client) for client in (ann, bob)]
            await admin(server, "DELETE", f"tables/{code}")
            for client, end in zip((ann, bob), ends, strict=True):
                await client.until(lambda: end == [(code, "closed")])  # noqa: B023
                with pytest.raises(Failed, match="unknown-table"):
                    await client.open(code)
            answer = await ann.order(game, give.RESIGN)
            assert isinstance(answer, wire.Problem)
            assert await server.harbour.log.game(game) is None
            assert server.harbour.duels == {}

    run(story())


# Renaming and deleting players


def test_a_rename_is_seen_at_every_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            code, _, (ann, bob) = await duel_of(server, settings=QUICK)
            unreadable = StoredTable("ZZZZZ", 1, "gathering", b'{"new":1}')
            await server.harbour.log.save_table(unreadable, 0, (you(bob),))
            await admin(server, "PATCH", f"players/{you(bob)}", {"name": "Robert"})
            await ann.until(lambda: names(ann, code) == {"Player 1", "Robert"})
            heard = said(ann)
            await bob.do(wire.SayWords(table=code, channel="table", text="Who, me?"))
            await ann.until(lambda: [n.name for n in heard if isinstance(n, wire.ChatLine)] != [])
            line = next(news for news in heard if isinstance(news, wire.ChatLine))
            assert line.name == "Robert"
            with pytest.raises(Failed, match="bad-name"):
                await admin(server, "PATCH", f"players/{you(bob)}", {"name": " \t"})

    run(story())


def names(client: Client, code: str) -> set[str]:
    held = [berth.holder for crew in client.tables[code].crews for berth in crew.berths]
    return {holder.name for holder in held if isinstance(holder, wire.Person)}


def test_a_deleted_player_is_gone_and_their_games_stay_without_their_name(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            for text in ("Rude words", "My words"):
                await bob.do(wire.SayWords(table=code, channel="table", text=text))
            await admin(server, "POST", f"tables/{code}/chat/remove", {"lines": [1]})
            await bob.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")
            before = await fathom_client.call(server.url, f"/api/games/{game}", wire.GameRecord)
            assert [*before.players] == [("Player 1",), ("Player 2",)]
            heard = said(ann)
            await admin(server, "DELETE", f"players/{you(bob)}")
            assert (await failure(bob)).error == "bad-token"
            with pytest.raises(Failed, match="bad-token"):
                await server.tab(bob.token)
            await ann.until(lambda: removed_of(heard) == [1, 2])
            await ann.until(lambda: names(ann, code) == {"Player 1"})
            record = await fathom_client.call(server.url, f"/api/games/{game}", wire.GameRecord)
            assert [*record.players] == [("Player 1",), (NOBODY,)]
            assert "Player 2" not in encode(record).decode()
            assert record.steps == before.steps
            async with aiohttp.ClientSession() as session:
                url = f"{server.url}/api/games/{game}/logbook"
                async with session.get(url) as answer:
                    assert "Player 2" not in await answer.text()
            assert (await admin(server, "GET", "players?search=Player%202"))["players"] == []
            chat = (await admin(server, "GET", f"tables/{code}/chat"))["lines"]
            assert [(line["name"], line.get("who"), line.get("text")) for line in chat] == [
                (NOBODY, None, None),
                (NOBODY, None, None),
            ]
            with pytest.raises(Failed, match="unknown-player"):
                await admin(server, "DELETE", f"players/{you(bob)}")

    run(story())


def test_what_a_bot_said_in_the_place_of_a_deleted_player_goes_with_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            code, _, players = await duel_of(server, size=2, settings=QUICK)
            ann, bob = players[:2]
            heard = said(ann)
            await bob.do(wire.LetBotPlay(table=code))
            room = server.harbour.rooms[code]
            seat = room.seat(you(bob))
            assert seat is not None
            room.phrase_said(seat, WhichWay())
            await ann.until(lambda: "Player 2" in {line.name for line in lines_of(heard)})
            await admin(server, "DELETE", f"players/{you(bob)}")
            chat = (await admin(server, "GET", f"tables/{code}/chat"))["lines"]
            assert chat
            assert "Player 2" not in {line["name"] for line in chat}

    run(story())


def test_a_process_that_missed_a_deletion_keeps_no_record_with_the_name(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            await bob.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")

            async def players() -> list[tuple[str, ...]]:
                path = f"/api/games/{game}"
                return [*(await fathom_client.call(server.url, path, wire.GameRecord)).players]

            assert await players() == [("Player 1",), ("Player 2",)]
            # As another process does it, while this one hears nothing.
            log = server.harbour.log
            stored = await log.game(game)
            assert stored is not None
            header = deletion.nameless(HEADERS.decode(stored.header), "b0")
            await log.moderation.change_header(game, encode(header))
            server.harbour.changed(Change("all", ""))
            assert await players() == [("Player 1",), (NOBODY,)]

    run(story())


def test_a_bot_plays_on_for_a_deleted_player_and_another_is_host(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            await admin(server, "DELETE", f"players/{you(ann)}")
            await bob.until(lambda: bob.tables[code].host == you(bob))
            assert names(bob, code) == {"Player 2"}
            before = bob.games[game].position
            await bob.until(lambda: bob.games[game].position > before)
            await admin(server, "DELETE", f"players/{you(bob)}")
            assert await server.harbour.log.table(code) is None, "only bots were left there"

    run(story())


def test_a_deletion_that_was_cut_short_is_finished_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "LEFT_BEHIND", 0)

    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            await bob.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")
            assert await server.harbour.log.moderation.begin_deletion(you(bob))
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            log = server.harbour.log

            async def done() -> bool:
                return all(one.done for one in await log.moderation.deletions(0))

            async with asyncio.timeout(60):
                while not await done():  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            stored = await log.game(game)
            assert stored is not None
            assert HEADERS.decode(stored.header).names == (("Player 1",), (NOBODY,))
            assert await log.games_of(you(bob)) == []

    run(story())


def test_old_games_lose_a_name_though_they_do_not_say_who_sat_where(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            log = server.harbour.log
            games = []
            for number in range(2):
                code, game, players = await duel_of(server, size=2, settings=QUICK)
                giver = players[number + 2]
                await giver.order(game, give.RESIGN)
                stored = await log.game(game)
                assert stored is not None
                old = msgspec.structs.replace(HEADERS.decode(stored.header), places={})
                await log.moderation.change_header(game, encode(old))
                games.append((code, game, players[3]))
            for _, game, fourth in games:
                await admin(server, "DELETE", f"players/{you(fourth)}")
                stored = await log.game(game)
                assert stored is not None
                header = HEADERS.decode(stored.header)
                assert header.names == (("Player 1", "Player 2"), ("Player 3", NOBODY))
                assert header.setup.crews[Crew.B].seats[1].name == NOBODY
                assert you(fourth) not in header.sides

    run(story())


# A player's own data


def test_a_player_exports_and_deletes_their_own_data(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server, settings=QUICK)
            await bob.do(wire.SayWords(table=code, channel="crew", text="Mine"))
            await ann.do(wire.SayWords(table=code, channel="table", text="Hers"))
            await bob.do(wire.Report(table=code, lines=(1,), why="other", text="Myself"))
            data = await ask(server, "GET", "/api/identity/data", token=bob.token)
            assert (data["you"], data["name"]) == (you(bob), "Player 2")
            assert [table["code"] for table in data["tables"]] == [code]
            assert [(card["game"], card["crew"]) for card in data["games"]] == [(game, "b")]
            assert [line["text"] for line in data["lines"]] == ["Mine"]
            assert [report["text"] for report in data["reports"]] == ["Myself"]
            assert [line["text"] for line in data["reports"][0]["lines"]] == ["Mine"]
            assert "number" not in str(data), "the log's numbers tell how much the enemy talks"
            with pytest.raises(Failed, match="bad-name"):
                await ask(server, "DELETE", "/api/identity", {"name": "No"}, token=bob.token)
            with pytest.raises(Failed, match="bad-message"):
                await ask(server, "DELETE", "/api/identity", {}, token=bob.token)
            await ask(server, "DELETE", "/api/identity", {"name": "Player 2"}, token=bob.token)
            assert (await failure(bob)).error == "bad-token"
            with pytest.raises(Failed, match="bad-token"):
                await ask(server, "GET", "/api/identity/data", token=bob.token)
            (note,) = (await admin(server, "GET", "audit"))["notes"]
            assert (note["by"], note["action"]) == (you(bob), "delete-own-data")

    run(story())


# The server


def test_a_restart_is_announced_to_all_who_are_here_and_who_come(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, operator_token=TOKEN) as server:
            ann = await server.player("Ann")
            heard = said(ann)
            wanted = {"restart_seconds": 600, "text": "  New   rules "}
            shown = await admin(server, "PUT", "announcement", wanted)
            assert shown["text"] == "New rules"
            expected = wire.Announced(
                restart=shown["restart"], text="New rules", until=shown["until"]
            )
            await ann.until(lambda: expected in heard)
            bob = Client(server.url, ann.token)
            greeted = said(bob)
            async with bob:
                await bob.until(lambda: expected in greeted)
            await admin(server, "DELETE", "announcement")
            await ann.until(lambda: heard[-1] == wire.Announced())
            assert (await admin(server, "GET", "announcement"))["until"] is None
            with pytest.raises(Failed, match="bad-message"):
                await admin(server, "PUT", "announcement", {"text": " "})

    run(story())


@pytest.mark.slow
def test_a_process_that_drains_ends_when_its_games_are_over(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path, FATHOM_OPERATOR_TOKEN=TOKEN)
        await server.start()
        people = [await fathom_client.register(server.url, name) for name in ("Ann", "Bob", "Eve")]
        code = (await fathom_client.new_table(server.url, people[0].token, QUICK)).table
        async with (
            Client(server.url, people[0].token) as ann,
            Client(server.url, people[1].token) as bob,
        ):
            eve = Client(server.url, people[2].token, resumes=False)
            await eve.__aenter__()
            for client, crew in ((ann, Crew.A), (bob, Crew.B)):
                await client.open(code)
                await client.do(wire.Sit(table=code, crew=crew))
                await client.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            await bob.until(lambda: bool(bob.games))
            (game,) = bob.games
            now = await admin(server, "POST", "drain", {"seconds": 3600})
            assert now["draining"]
            assert await health(server.url) == (503, "draining")
            with pytest.raises(Failed, match="going-down"):
                await fathom_client.new_table(server.url, people[0].token)
            with pytest.raises(ConnectionError):
                async with Client(server.url, people[2].token, resumes=False):
                    pass
            await holds(lambda: eve.failure is not None)
            await eve.close()
            again = Client(server.url, people[1].token)
            async with again:
                await again.open(code)
            assert server.process is not None
            assert server.process.returncode is None
            await bob.order(game, give.RESIGN)
            async with asyncio.timeout(60):
                assert await server.process.wait() == 0

    run(story())


@pytest.mark.slow
def test_a_process_that_drains_ends_at_the_deadline(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path, FATHOM_OPERATOR_TOKEN=TOKEN)
        await server.start()
        ann = await fathom_client.register(server.url, "Ann")
        made = await fathom_client.new_table(server.url, ann.token, QUICK, solo=True)
        async with Client(server.url, ann.token) as client:
            await client.open(made.table)
            await admin(server, "POST", "drain", {})
            now = await admin(server, "DELETE", "drain")
            assert not now["draining"]
            assert await health(server.url) == (200, "ok")
            await admin(server, "POST", "drain", {"seconds": 0})
            assert server.process is not None
            async with asyncio.timeout(60):
                assert await server.process.wait() == 0

    run(story())


# Many processes


def test_what_one_process_decides_takes_effect_at_all(postgres: Postgres, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path, operator_token=TOKEN) as (one, two):
            code, (ann, bob) = await seated(one, two, QUICK)
            eve = await two.player("Eve")
            await eve.open(code)
            heard = said(bob)
            await ann.do(wire.SayWords(table=code, channel="table", text="Bad"))
            await bob.until(lambda: chat_of(heard) == [(1, "Bad")])
            await admin(one, "POST", f"tables/{code}/chat/remove", {"lines": [1]})
            await bob.until(lambda: removed_of(heard) == [1])
            await admin(one, "PUT", "announcement", {"restart_seconds": 60})
            await bob.until(lambda: any(isinstance(news, wire.Announced) for news in heard))
            await admin(one, "PATCH", f"players/{you(bob)}", {"name": "Robert"})
            await bob.until(lambda: names(bob, code) == {"Ann", "Robert"})
            await holds(lambda: {c.name for c in two.harbour.connections} == {"Robert", "Eve"})
            await admin(one, "POST", "bans", {"player": you(eve), "reason": "x"})
            assert (await failure(eve)).error == "banned"
            ends = closed(ann)
            await admin(two, "DELETE", f"players/{you(bob)}")
            assert (await failure(bob)).error == "bad-token"
            await ann.until(lambda: names(ann, code) == {"Ann"})
            await admin(two, "DELETE", f"tables/{code}")
            await ann.until(lambda: ends == [(code, "gone")])
            with pytest.raises(Failed, match="not-open"):
                await ann.do(wire.SayWords(table=code, channel="table", text="Anybody?"))
            assert await one.harbour.log.chat(code) == []

    run(story())
