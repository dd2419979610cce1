"""The HTTP API, origins, limits, and what the server says of itself."""

import json
import logging
import multiprocessing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
import segno
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.client import Failed
from fathom.engine import orders as give
from fathom.rules import library
from fathom.server import wire
from fathom.server.limits import Buckets, Rate
from fathom.server.notes import JsonLines
from fathom.words import Crew
from tests.server.serving import QUICK, Server, begun, duel_of, holds, run, serving

OPERATOR = "for the operator alone"


async def ask(
    server: Server, method: str, path: str, **options: Any
) -> tuple[int, Mapping[str, str], bytes]:
    """One request: status, headers, body."""
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, server.url + path, **options) as answer,
    ):
        return answer.status, answer.headers, await answer.read()


def test_everything_to_choose_from(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            shelves = await fathom_client.call(server.url, "/api/library", wire.Library)
            assert {book.name for book in shelves.rulebooks} == set(library.rulebook_names())
            assert len(shelves.charts) == 24
            assert shelves.played["captain-sonar-2"][0] == "alpha-2"
            alpha = next(chart for chart in shelves.charts if chart.chart.name == "alpha-15")
            assert (alpha.sea.across, len(alpha.sea.sectors)) == (15, 9)
            ranges = next(field for field in shelves.rulings if field.name == "torpedo_range")
            assert (ranges.least, ranges.most, ranges.values["captain-sonar"]) == (0, 14, 4)
            rules = await fathom_client.call(server.url, "/api/rules", wire.Rules)
            assert {rule.name for rule in rules.rules} >= {"move.no-crossing", "secret.enemy"}
            assert rules.language == "en"
            status, headers, _ = await ask(server, "GET", "/api/library")
            tag = {"If-None-Match": headers["ETag"]}
            assert (status, (await ask(server, "GET", "/api/library", headers=tag))[0]) == (
                200,
                304,
            )

    run(story())


def test_the_rules_in_another_language(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            tags = set()
            for language in library.LANGUAGES:
                path = f"/api/rules?language={language}"
                rules = await fathom_client.call(server.url, path, wire.Rules)
                text = library.rule_text(language)
                assert (rules.language, rules.rules) == (language, text.rules)
                assert rules.sections == text.sections
                tags.add((await ask(server, "GET", path))[1]["ETag"])
            # A browser must not take one language for another that it has.
            assert len(tags) == len(library.LANGUAGES)
            with pytest.raises(Failed, match="bad-message"):
                await fathom_client.call(server.url, "/api/rules?language=tlh", wire.Rules)

    run(story())


def test_a_tables_link_as_a_picture(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, public="https://fathom.example/") as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token)
            assert made.link == f"https://fathom.example/t/{made.table}"
            status, headers, picture = await ask(server, "GET", f"/api/tables/{made.table}/qr.svg")
            assert (status, headers["Content-Type"].partition(";")[0]) == (200, "image/svg+xml")
            # As large as the code of this link with its border.
            across, down = segno.make(made.link, error="m").symbol_size(scale=8, border=2)
            svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}"'
            assert picture.decode().startswith(svg)
            assert (picture.count(b"xmlns"), picture[-7:].strip()) == (1, b"</svg>")
            card = await fathom_client.call(server.url, f"/api/tables/{made.table}", wire.TableCard)
            assert card.host == "Ann"
            with pytest.raises(Failed, match="unknown-table"):
                await fathom_client.call(server.url, "/api/tables/ZZZZZ", wire.TableCard)

    run(story())


WRONG = [
    ("GET", "/api/nothing", b"", 404, "unknown-path"),
    ("GET", "/api/games/abcdefgh", b"", 404, "unknown-game"),
    ("GET", "/api/games", b"", 401, "bad-token"),
    ("DELETE", "/api/lobby", b"", 405, "bad-method"),
    ("POST", "/api/identity", b"{", 400, "bad-message"),
    ("POST", "/api/identity", b'{"name":7}', 400, "bad-message"),
    ("POST", "/api/identity", b'{"name":"\\ud800"}', 400, "bad-message"),
    ("POST", "/api/identity", b'{"name":"   "}', 400, "bad-name"),
    ("POST", "/api/identity", b"[" * 30_000, 400, "bad-message"),
    ("POST", "/api/identity", b" " * 40_000, 413, "too-long"),
    ("GET", "/../../etc/passwd.txt", b"", 404, "unknown-path"),
    ("GET", "/socket", b"", 400, "bad-message"),
]
"""Method, path and body; status and key."""


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_a_key(tmp_path: Path, wrong: tuple[str, str, bytes, int, str]) -> None:
    method, path, body, status, error = wrong

    async def story() -> None:
        async with serving(tmp_path) as server:
            answer = await ask(server, method, path, data=body or None)
            assert answer[0] == status
            assert msgspec.json.decode(answer[2], type=wire.ApiError).error == error

    run(story())


def test_pages_of_other_sites_cannot_ask(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            evil = {"Origin": "https://evil.example"}
            own = {"Origin": server.url}
            body = b'{"name":"Eve"}'
            status, _, _ = await ask(server, "POST", "/api/identity", data=body, headers=evil)
            assert status == 403
            status, _, _ = await ask(server, "POST", "/api/identity", data=body, headers=own)
            assert status == 201
            async with aiohttp.ClientSession() as session:
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await session.ws_connect(server.url + "/socket", headers=evil)
            assert refused.value.status == 403

    run(story())


def test_every_answer_keeps_strangers_out(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            for path in ("/", "/t/K7QMX", "/api/lobby", "/api/nothing"):
                _, headers, _ = await ask(server, "GET", path)
                assert "default-src 'self'" in headers["Content-Security-Policy"]
                assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
                assert headers["X-Content-Type-Options"] == "nosniff"
                assert headers["Referrer-Policy"] == "no-referrer"

    run(story())


def test_health_and_numbers(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, metrics_token=OPERATOR) as server:
            _, game, (ann, _) = await duel_of(server)
            await ann.order(game, give.Place(ann.games[game].offer.orders[0].at))  # type: ignore[attr-defined]
            health = await fathom_client.call(server.url, "/health", wire.Health)
            assert (health.status, health.games, health.connections) == ("ok", 1, 2)
            given = {"Authorization": f"Bearer {OPERATOR}"}
            numbers = (await ask(server, "GET", "/metrics", headers=given))[2].decode()
            assert "fathom_orders_total 2\n" in numbers
            assert "fathom_connections 2\n" in numbers
            assert 'fathom_order_seconds_bucket{le="+Inf"} 1\n' in numbers

    run(story())


def test_numbers_are_for_the_operator_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path / "without") as server:
            for given in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer None"}):
                assert (await ask(server, "GET", "/metrics", headers=given))[0] == 404
        async with serving(tmp_path / "with", metrics_token=OPERATOR) as server:
            ann = await server.player("Ann")
            for token in ("", OPERATOR[:-1], ann.token, f"{OPERATOR}\u00e9"):
                given = {"Authorization": f"Bearer {token}"}
                assert (await ask(server, "GET", "/metrics", headers=given))[0] == 401
            assert (await ask(server, "GET", "/metrics"))[0] == 401

    run(story())


ANONYMOUS = (
    *("/health", "/health/ready", "/health/live", "/metrics", "/api/lobby", "/api/games"),
    *("/api/tables/{table}", "/api/tables/{table}/link", "/api/games/{game}"),
    *("/api/games/{game}/logbook", "/api/games/{game}/belief"),
)


def test_nothing_that_strangers_can_ask_moves_with_secret_orders(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, metrics_token=OPERATOR) as server:
            table, game, players = await duel_of(server, settings=replace(QUICK, first=Crew.A))

            async def told() -> list[tuple[int, bytes]]:
                paths = [path.format(table=table, game=game) for path in ANONYMOUS]
                answers = [await ask(server, "GET", path) for path in paths]
                return [(status, text) for status, _, text in answers]

            before = await told()
            orders = server.harbour.metrics.orders
            for player in players:
                await player.order(game, player.games[game].offer.orders[0])
                await player.order(game, give.PutMark(3, 0))
            assert server.harbour.metrics.orders == orders + 4
            assert await told() == before

    run(story())


def test_a_process_can_be_alive_and_yet_not_ready(tmp_path: Path) -> None:
    async def conditions(server: Server) -> list[tuple[int, str]]:
        answers = [await ask(server, "GET", f"/health{path}") for path in ("", "/ready", "/live")]
        return [(status, json.loads(text)["status"]) for status, _, text in answers]

    async def story() -> None:
        async with serving(tmp_path) as server:
            harbour = server.harbour
            assert await conditions(server) == [(200, "ok")] * 3
            # Else it would find within a second that the log is there.
            await harbour.supervisor.stop("tending")
            harbour.log_went("a test says so")
            assert await conditions(server) == [*[(503, "log-away")] * 2, (200, "ok")]
            harbour.log_came()
            harbour.going_down = True
            assert await conditions(server) == [*[(503, "going-down")] * 2, (200, "ok")]
            harbour.going_down = False

            async def fail() -> None:
                raise OSError("no descriptors")

            harbour.supervisor.start("doomed", fail)
            await holds(harbour.supervisor.failing)
            assert await conditions(server) == [(503, "failing")] * 3
            await harbour.supervisor.stop("doomed")
            assert await conditions(server) == [(200, "ok")] * 3

    run(story())


# Limits


def test_orders_have_a_rate(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, rate_factor=1.0) as server:
            ann = await server.player("Ann")
            asked = [wire.FollowLobby(on=False, id=f"n{n}") for n in range(60)]
            answers = [await ann.ask(request) for request in asked]
            limited = [a for a in answers if isinstance(a, wire.Problem)]
            assert 0 < len(limited) <= 21
            assert {problem.error for problem in limited} == {"too-many-messages"}

    run(story())


def test_talk_has_a_rate(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, rate_factor=1.0) as server:
            ann = await server.player("Ann")
            code = await server.table(ann)
            line = wire.SayWords(table=code, channel="table", text="hello")
            answers = [await ann.ask(line) for _ in range(8)]
            assert [isinstance(a, wire.Done) for a in answers] == [True] * 5 + [False] * 3

    run(story())


async def tables_opened(
    server: Server, times: int, headers: dict[str, str], *, solo: bool = False
) -> list[tuple[int, int]]:
    """Open tables; for each the status, and after how many seconds to try again."""
    ann = await server.player("Ann")
    found = []
    headers = {"Authorization": f"Bearer {ann.token}", **headers}
    async with aiohttp.ClientSession(server.url, headers=headers) as session:
        for _ in range(times):
            async with session.post("/api/tables", json={"solo": solo}) as answer:
                told = await answer.json()
                assert answer.status == 201 or told["error"] == "too-many-tables"
                found.append((answer.status, told.get("arguments", {}).get("seconds", 0)))
    return found


FROM_AFAR = {"X-Forwarded-For": "198.51.100.7"}


def test_new_tables_have_a_rate_and_the_refusal_says_when_it_ends(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, tables_per_hour=3, behind_proxy=True) as server:
            opened = await tables_opened(server, 4, FROM_AFAR)
            assert [status for status, _ in opened] == [201] * 3 + [429]
            # One every twenty minutes.
            assert 1100 < opened[-1][1] <= 1200
            elsewhere = {"X-Forwarded-For": "198.51.100.8"}
            assert await tables_opened(server, 1, elsewhere) == [(201, 0)]

    run(story())


def test_games_against_the_computer_count_for_themselves_and_have_a_bound_too(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path, tables_per_hour=2, behind_proxy=True) as server:
            solo = await tables_opened(server, 7, FROM_AFAR, solo=True)
            assert [status for status, _ in solo] == [201] * 6 + [429]
            assert 100 < solo[-1][1] <= 150
            opened = await tables_opened(server, 3, FROM_AFAR)
            assert [status for status, _ in opened] == [201] * 2 + [429]

    run(story())


@pytest.mark.parametrize(
    ("proxy", "headers", "limited"),
    [
        (False, {}, False),
        (True, {"X-Forwarded-For": "127.0.0.1"}, True),
        (True, {}, True),
        (False, {"X-Forwarded-For": "127.0.0.1"}, True),
        (False, {"Via": "1.1 proxy"}, True),
    ],
    ids=["here", "who says so", "a proxy without a header", "an unknown proxy", "another one"],
)
def test_only_who_really_is_on_the_servers_machine_opens_as_many_tables_as_they_like(
    tmp_path: Path, *, proxy: bool, headers: dict[str, str], limited: bool
) -> None:
    async def story() -> None:
        async with serving(tmp_path, tables_per_hour=1, behind_proxy=proxy) as server:
            opened = await tables_opened(server, 3, headers)
            assert ((429, opened[-1][1]) in opened) == limited

    run(story())


def test_a_trusted_proxy_on_the_servers_machine_is_not_somebody_there(tmp_path: Path) -> None:
    async def story() -> None:
        config = {"tables_per_hour": 1, "trusted_proxies": ("127.0.0.1",)}
        async with serving(tmp_path, **config) as server:
            for headers in ({}, FROM_AFAR):
                opened = await tables_opened(server, 2, headers)
                assert [status for status, _ in opened] == [201, 429]

    run(story())


def test_games_that_one_player_begins_have_a_rate(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            server.harbour.new_games = Buckets(Rate(3, 1 / 3600))
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, solo=True)
            await ann.open(made.table)
            accepted, again = 0, wire.Rematch(table=made.table, at_once=True)
            game = await begun([ann], made.table)
            while True:
                await ann.order(game, give.RESIGN)
                answer = await ann.ask(again)
                if not isinstance(answer, wire.Done):
                    break
                accepted += 1
                await ann.until(lambda: ann.tables[made.table].game not in (None, game))  # noqa: B023
                game = await begun([ann], made.table)
            assert accepted == 3
            assert isinstance(answer, wire.Problem)
            assert answer.error == "too-many-tables"
            assert 0 < int(answer.arguments["seconds"]) <= 3600

    run(story())


def test_connections_of_one_address_are_bounded(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, connections_per_address=3) as server:
            ann = await server.player("Ann")
            for _ in range(2):
                await server.tab(ann.token)
            with pytest.raises(Failed, match="too-many-connections"):
                await server.tab(ann.token, resumes=False)

    run(story())


def test_long_messages_are_for_drawings_only(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, _) = await duel_of(server)
            spots = tuple((0, 0) for _ in range(2000))
            answer = await ann.order(game, give.DrawLine(spots))
            assert isinstance(answer, wire.Problem)
            assert answer.error == "too-long"
            traced = await ann.order(game, give.TraceSection(1, spots, "A"))
            assert isinstance(traced, wire.Refused)

    run(story())


# Notes


def test_notes_hold_no_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, QUICK, solo=True)
            await ann.open(made.table)
            game = await begun([ann], made.table)
            await ann.do(wire.SayWords(table=made.table, channel="crew", text="a secret word"))
            await ann.ask(wire.Sit(table=made.table, crew=Crew.A))
            assert ann.socket is not None
            await ann.socket.send_str('{"type":"hello","token":"' + ann.token + '"}')
            await ann.order(game, give.RESIGN)
            notes = caplog.text
            assert "game began" in notes
            for secret in (ann.token, made.table, game, "a secret word", "Ann"):
                assert secret not in notes

    run(story())


def test_a_note_is_one_line_of_json() -> None:
    record = logging.LogRecord("fathom", logging.INFO, "", 0, "so many: %s", (3,), None)
    record.count = 3
    note = json.loads(JsonLines().format(record))
    assert (note["note"], note["level"], note["count"]) == ("so many: 3", "info", 3)


@pytest.mark.slow
def test_a_killed_process_that_works_records_out_is_replaced(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            before = set(multiprocessing.active_children())
            for _ in range(3):
                _, game, (ann, _) = await duel_of(server)
                await ann.order(game, give.Resign())
                await ann.until(lambda: ann.games[game].over)  # noqa: B023
                record = await fathom_client.call(server.url, f"/api/games/{game}", wire.GameRecord)
                assert record.game == game
                (worker,) = set(multiprocessing.active_children()) - before
                worker.kill()
                worker.join()

    run(story())
