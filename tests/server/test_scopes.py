"""A program's token does what its scope says, and nothing else: every endpoint, every message."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any, get_args

import aiohttp
import msgspec
import pytest

from fathom import client as fathom_client
from fathom.bots.phrases import InSector
from fathom.client import Client
from fathom.engine import orders as give
from fathom.server import wire
from fathom.server.api import Route
from fathom.server.identity import scope_of, token_hash
from fathom.server.log import StoredPlayer, StoredToken
from fathom.server.routes import ROUTES
from fathom.server.wire import Scope
from fathom.words import Crew, Post
from tests.server.serving import QUICK, Server, begun, run, serving
from tests.server.test_devices import ended, refusal

PLAY, GAMES = "play", "games"
SIGNED = [route for route in ROUTES if route.signed and route.programs != "operator"]
"""Routes that ask for a player's token."""
OPEN = {
    ("GET", "/api/identity"): {PLAY, GAMES},
    ("GET", "/api/games"): {GAMES},
}
"""What programs may ask for; the token's own end is tried apart, because it is the last."""
ENDS = ("DELETE", "/api/identity/token")


def made_of(kind: type[msgspec.Struct], **given: Any) -> Any:
    """A message of a kind, with something in every field that must be there."""
    samples = {
        "crew": Crew.A,
        "post": Post.CAPTAIN,
        "settings": QUICK,
        "boat": "Nautilus",
        "channel": "table",
        "text": "Ahoy",
        "phrase": InSector(sector=1, percent=50),
        "order": give.RESIGN,
        "protocol": wire.PROTOCOL,
        "token": "x" * 32,
        "id": "some-id",
        "who": "nobody-at-all",
        "lines": (1,),
        "why": "other",
        **given,
    }
    names = {field.name for field in msgspec.structs.fields(kind)}
    needed = {f.name for f in msgspec.structs.fields(kind) if f.required}
    chosen = needed | (given.keys() & names)
    return kind(**{name: samples[name] for name in chosen})


async def programs(server: Server) -> tuple[str, str, str, dict[str, str]]:
    """A host with two tables: her token, both codes, and a program's token for each scope."""
    ann = await server.player("Ann")
    code, other = await server.table(ann, QUICK), await server.table(ann, QUICK)
    scopes = {PLAY: Scope(play=code), GAMES: Scope(games=True)}
    tokens = {
        name: (await fathom_client.new_program(server.url, ann.token, name, scope)).token
        for name, scope in scopes.items()
    }
    return ann.token, code, other, tokens


@pytest.mark.parametrize("scope", [PLAY, GAMES])
def test_every_endpoint_keeps_to_the_scope(tmp_path: Path, scope: str) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, _, _, tokens = await programs(server)
            before = await fathom_client.devices(server.url, ann)
            headers = {"Authorization": f"Bearer {tokens[scope]}"}
            async with aiohttp.ClientSession(server.url, headers=headers) as session:
                for route in SIGNED:
                    place = (route.method, route.path)
                    if place == ENDS:
                        continue
                    status, error = await asked(session, route, before.tokens[0].id)
                    if scope in OPEN.get(place, ()):
                        assert status == 200, place
                    else:
                        assert (status, error) == (403, "not-in-scope"), place
                after = await fathom_client.devices(server.url, ann)
                assert {t.id for t in after.tokens} == {t.id for t in before.tokens}
                (ending,) = [route for route in SIGNED if (route.method, route.path) == ENDS]
                assert (await asked(session, ending, ""))[0] == 200
                assert (await asked(session, ending, ""))[1] == "bad-token"

    run(story())


async def asked(session: aiohttp.ClientSession, route: Route, token: str) -> tuple[int, str]:
    """What a route answers: the status, and the error's key."""
    path = route.path.replace("{token}", token)
    assert "{" not in path, f"what is to stand there? {path}"
    body = None if route.method == "GET" else b"{}"
    async with session.request(route.method, path, data=body) as answer:
        return answer.status, (await answer.json()).get("error", "")


PLAYING = {
    *("hello", "ping", "open", "close", "sit", "stand", "swap", "get-ready"),
    *("rematch", "let-bot-play", "order", "advise", "chat", "say"),
}
"""Messages of a program that plays."""


def test_every_message_keeps_to_the_scope(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, code, other, tokens = await programs(server)
            client = await server.tab(tokens[PLAY])
            assert client.welcome is not None
            assert client.welcome.tables == (code,), "of other tables it is told nothing"
            for kind in get_args(wire.AnyRequest):
                tag = kind.__struct_config__.tag
                own = await answered(client, made_of(kind, table=code, game="no-such-game"))
                assert (own == "not-in-scope") == (tag not in PLAYING), tag
                if issubclass(kind, wire.AboutTable):
                    elsewhere = await answered(client, made_of(kind, table=other))
                    assert elsewhere == "not-in-scope", tag
            begins = wire.Rematch(table=code, at_once=True)
            assert await answered(client, begins) == "not-in-scope"

    run(story())


async def answered(client: Client, request: Any) -> str:
    """The error's key with which a message is answered, if it is; hellos and pings have none."""
    if isinstance(request, wire.Ping):
        await client.send(request)
        return ""
    answer = await client.ask(msgspec.structs.replace(request, id=client.new_id()))
    return answer.error if isinstance(answer, wire.Problem) else ""


def test_a_program_plays_its_players_posts(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, code, other, tokens = await programs(server)
            bob = await server.player("Bob")
            await bob.open(code)
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            await bob.do(wire.GetReady(table=code))
            program = await server.tab(tokens[PLAY])
            await program.open(code)
            await program.do(wire.Sit(table=code, crew=Crew.A))
            await program.do(wire.GetReady(table=code))
            assert await refusal(program.do(wire.Start(table=code))) == "not-in-scope"
            host = await server.tab(ann)
            await host.open(code)
            await host.do(wire.Start(table=code))
            game = await begun([program, bob], code)
            assert isinstance(await program.order(game, give.RESIGN), wire.Done)
            # What the player does elsewhere is none of the program's business.
            await host.open(other)
            await host.do(wire.Sit(table=other, crew=Crew.A))
            await host.do(wire.GetReady(table=other))
            await host.do(wire.Start(table=other, fill=True))
            elsewhere = await begun([host], other)
            answer = await program.order(elsewhere, give.RESIGN)
            assert isinstance(answer, wire.Problem)
            assert answer.error == "not-open"
            assert await refusal(program.open(other)) == "not-in-scope"

    run(story())


def test_a_program_that_reads_games_has_no_socket(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, _, _, tokens = await programs(server)
            assert await refusal(server.tab(tokens[GAMES])) == "not-in-scope"

    run(story())


def test_programs_are_listed_and_ended_like_devices(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, code, _, tokens = await programs(server)
            mine = await fathom_client.devices(server.url, ann)
            found = {token.device: token for token in mine.tokens}
            assert found[PLAY].scope == Scope(play=code)
            assert found[GAMES].scope == Scope(games=True)
            program = await server.tab(tokens[PLAY])
            await fathom_client.end_device(server.url, ann, found[PLAY].id)
            assert await ended(program) == "token-ended"
            await fathom_client.end_other_devices(server.url, ann)
            games = fathom_client.call(server.url, "/api/games", wire.MyGames, token=tokens[GAMES])
            assert await refusal(games) == "bad-token"

    run(story())


def test_a_scope_says_something(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, *_ = await programs(server)
            for scope, error in (
                (Scope(), "bad-message"),
                (Scope(play="ZZZZZ"), "unknown-table"),
            ):
                made = fathom_client.new_program(server.url, ann, "Bot", scope)
                assert await refusal(made) == error
            nameless = fathom_client.new_program(server.url, ann, "  ", Scope(games=True))
            assert await refusal(nameless) == "bad-name"

    run(story())


def test_a_release_that_knows_no_scopes_does_not_find_a_programs_token(tmp_path: Path) -> None:
    """It would take it for a device's: it must not be stored under the hash that it looks for."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, _, _, tokens = await programs(server)
            log = server.harbour.log
            assert await log.token(hashlib.sha256(ann.encode()).digest()) is not None
            for token in tokens.values():
                assert await log.token(hashlib.sha256(token.encode()).digest()) is None
                assert await log.token(token_hash(token)) is not None

    run(story())


@pytest.mark.parametrize("scope", ['{"later":true}', '{"games":1}', "nonsense", "{}"])
def test_a_scope_of_a_newer_release_allows_nothing_here(scope: str) -> None:
    token = StoredToken("one", StoredPlayer("ann", "Ann"), "", scope, 0, 0)
    assert scope_of(token) == Scope()


def test_a_program_is_told_why_it_ends(tmp_path: Path) -> None:
    """A client that was sent away says so to whoever asks it for more."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            _, code, _, tokens = await programs(server)
            program = await server.tab(tokens[PLAY])
            waiting = asyncio.create_task(program.until(lambda: False, 30))
            await fathom_client.delete(
                server.url, "/api/identity/token", wire.Identity, tokens[PLAY]
            )
            assert await ended(program) == "token-ended"
            for asked in (waiting, program.open(code)):
                assert await refusal(asked) == "token-ended"

    run(story())
