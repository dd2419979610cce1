"""Devices: a player sees them, ends one or all, and what is ended is closed at once, everywhere."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.client import Client, Failed, call, delete
from fathom.engine import orders as give
from fathom.server import connection as connections
from fathom.server import identity, wire
from fathom.server.log import Log, StoredToken
from fathom.server.time_of_day import now_ms
from fathom.server.wire import Identity, TokenCard
from fathom.words import Crew
from tests.server.crashes import ServerProcess
from tests.server.postgres import Postgres
from tests.server.serving import Server, duel_of, run, serving
from tests.server.test_many import two_servers


async def refusal(asked: Awaitable[Any]) -> str:
    """The key with which something is refused."""
    with pytest.raises(Failed) as failed:
        await asked
    return failed.value.error


async def ended(client: Client) -> str:
    """Wait until a client has been sent away; why."""
    assert client.runner is not None
    async with asyncio.timeout(30):
        await asyncio.wait([client.runner])
    assert isinstance(client.failure, Failed)
    return client.failure.error


def devices(tokens: tuple[TokenCard, ...]) -> list[str]:
    return sorted(token.device for token in tokens)


def test_a_player_sees_their_devices(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann", "  Phone   of Ann ")
            again = await fathom_client.recover(server.url, ann.recovery, "Laptop")
            assert again.recovery == ""
            mine = await fathom_client.devices(server.url, again.token)
            assert mine.recovery
            assert devices(mine.tokens) == ["Laptop", "Phone of Ann"]
            (this,) = [token for token in mine.tokens if token.this]
            assert (this.id, this.device, this.scope) == (again.device, "Laptop", None)
            now = now_ms()
            for token in mine.tokens:
                assert now - 60_000 < token.created <= token.used <= now
            known = await call(server.url, "/api/identity", Identity, token=again.token)
            assert known == Identity(ann.you, "Ann", device=again.device)
            assert (await refusal(fathom_client.devices(server.url, "x" * 32))) == "bad-token"
            bad = fathom_client.register(server.url, "Bob", "a\u202eb")
            assert await refusal(bad) == "bad-name"

    run(story())


def test_when_a_token_was_last_used_is_noted(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann")
            log, sessions = server.harbour.log, server.harbour.sessions
            before = await old_token(log, ann)
            await fathom_client.devices(server.url, ann.token)
            assert sessions.used == {ann.device}
            await sessions.note()
            assert (await log.tokens_of(ann.you))[0].used > before.used
            # Within a minute it is not noted again, until a connection goes.
            client = await server.tab(ann.token)
            assert sessions.used == set()
            await client.close()
            while not sessions.used:  # noqa: ASYNC110  (servers tell tests nothing)
                await asyncio.sleep(0.01)
            assert sessions.used == {ann.device}

    run(story())


async def old_token(log: Log, owner: Identity) -> StoredToken:
    """A player's token, as if it had last been used an hour ago."""
    await log.run("update tokens set used = used - 3600000")  # type: ignore[attr-defined]
    return (await log.tokens_of(owner.you))[0]


def test_an_ended_token_gives_no_more_orders(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server)
            other = await server.tab(ann.token)
            await delete(server.url, "/api/identity/token", Identity, ann.token)
            assert [await ended(ann), await ended(other)] == ["token-ended"] * 2
            with pytest.raises(Failed, match="token-ended"):
                await ann.order(game, give.RESIGN)
            assert await refusal(server.tab(ann.token)) == "bad-token"
            assert server.harbour.duels[game].game.public.result is None
            assert isinstance(await bob.order(game, give.RESIGN), wire.Done)

    run(story())


def test_messages_that_came_with_the_end_are_not_obeyed(tmp_path: Path) -> None:
    """What lies unread in the socket when a token ends is thrown away."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server)
            (line,) = [one for one in server.harbour.connections if one.name == "Player 1"]
            server.harbour.sessions.close({line.token})
            line.receive(wire.encode(wire.GiveOrder(id="late", game=game, order=give.RESIGN)), True)
            assert await ended(ann) == "token-ended"
            # Orders are judged one after another.
            assert isinstance(await bob.order(game, give.RESIGN), wire.Done)
            result = server.harbour.duels[game].game.public.result
            assert result is not None
            assert result.winner is Crew.A

    run(story())


def test_a_player_ends_one_device_or_all_others(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann", "one")
            more = [
                await fathom_client.recover(server.url, ann.recovery, name)
                for name in ("two", "three", "four")
            ]
            bob = await fathom_client.register(server.url, "Bob", "bob's")
            lines = [await server.tab(one.token) for one in (ann, *more, bob)]
            left = await fathom_client.end_device(server.url, ann.token, more[0].device or "")
            assert devices(left.tokens) == ["four", "one", "three"]
            assert await ended(lines[1]) == "token-ended"
            for theirs in (bob.device or "", more[0].device or "", "nobody-has-this"):
                asked = fathom_client.end_device(server.url, ann.token, theirs)
                assert await refusal(asked) == "unknown-token"
            left = await fathom_client.end_other_devices(server.url, more[1].token)
            assert devices(left.tokens) == ["three"]
            assert [await ended(lines[0]), await ended(lines[3])] == ["token-ended"] * 2
            for still in (lines[2], lines[4]):
                await still.do(wire.FollowLobby(on=False))
            assert (await fathom_client.devices(server.url, bob.token)).tokens[0].this

    run(story())


def test_who_has_lost_a_device_ends_it_with_the_recovery_code(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann", "stolen")
            program = await fathom_client.new_program(
                server.url, ann.token, "spy", wire.Scope(games=True)
            )
            thief = await server.tab(ann.token)
            back = await fathom_client.recover(server.url, ann.recovery, "new", end_others=True)
            assert await ended(thief) == "token-ended"
            for token in (ann.token, program.token):
                assert await refusal(fathom_client.devices(server.url, token)) == "bad-token"
            mine = await fathom_client.devices(server.url, back.token)
            assert devices(mine.tokens) == ["new"]

    run(story())


def test_a_new_recovery_code_asks_for_the_old_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann")
            bob = await fathom_client.register(server.url, "Bob")
            for wrong in ("", "AAAA-BBBB-CCCC-DDDD-EEEE", bob.recovery):
                asked = fathom_client.renew_recovery(server.url, ann.token, wrong)
                assert await refusal(asked) == "bad-recovery"
            new = await fathom_client.renew_recovery(server.url, ann.token, ann.recovery.lower())
            old = fathom_client.recover(server.url, ann.recovery)
            assert await refusal(old) == "bad-recovery"
            assert (await fathom_client.recover(server.url, new)).you == ann.you

    run(story())


def test_the_first_recovery_code_can_be_made_later(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            asked = wire.NewPlayer("Ann", recovery=False)
            ann = await call(server.url, "/api/identity", Identity, asked)
            assert ann.recovery == ""
            assert not (await fathom_client.devices(server.url, ann.token)).recovery
            first = await fathom_client.renew_recovery(server.url, ann.token)
            assert (await fathom_client.devices(server.url, ann.token)).recovery
            second = fathom_client.renew_recovery(server.url, ann.token)
            assert await refusal(second) == "bad-recovery"
            assert (await fathom_client.recover(server.url, first)).you == ann.you

    run(story())


def test_recovery_codes_are_not_guessed(tmp_path: Path) -> None:
    """However generous a server is otherwise, also where a new code asks for the old one."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann")
            wrong = "AAAA-BBBB-CCCC-DDDD-EEEE"
            tries = [
                await refusal(fathom_client.renew_recovery(server.url, ann.token, wrong))
                for _ in range(6)
            ]
            assert tries == ["bad-recovery"] * 5 + ["too-many-messages"]
            assert await refusal(fathom_client.recover(server.url, wrong)) == "too-many-messages"

    run(story())


def test_the_number_of_tokens_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "MOST_TOKENS", 3)

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann", "first")
            await old_token(server.harbour.log, ann)
            scope = wire.Scope(games=True)
            for name in ("second", "third"):
                await fathom_client.new_program(server.url, ann.token, name, scope)
            more = fathom_client.new_program(server.url, ann.token, "fourth", scope)
            assert await refusal(more) == "too-many-tokens"
            # Whoever has the recovery code gets in; what was not used for longest goes.
            line = await server.tab(ann.token)
            back = await fathom_client.recover(server.url, ann.recovery, "fourth")
            mine = await fathom_client.devices(server.url, back.token)
            assert devices(mine.tokens) == ["fourth", "second", "third"]
            assert await ended(line) == "token-ended"

    run(story())


# Other processes


def test_an_ended_token_closes_its_connections_at_other_servers(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            ann = await fathom_client.register(one.url, "Ann", "lost")
            here = await fathom_client.recover(one.url, ann.recovery, "here")
            lost, kept = await two.tab(ann.token), await two.tab(here.token)
            await fathom_client.end_device(one.url, here.token, ann.device or "")
            assert await ended(lost) == "token-ended"
            await kept.do(wire.FollowLobby(on=False))
            # A bell that nobody hears does not keep it open either.
            two.harbour.log.bell.link.give_up()  # type: ignore[attr-defined]
            await fathom_client.recover(one.url, ann.recovery, "new", end_others=True)
            assert await ended(kept) == "token-ended"

    run(story())


@pytest.mark.slow
def test_an_ended_token_closes_its_connections_in_other_processes(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        address = postgres.fresh()
        one, two = (ServerProcess(tmp_path / name, address) for name in ("one", "two"))
        await asyncio.gather(one.start(), two.start())
        ann = await fathom_client.register(one.url, "Ann", "lost")
        async with Client(two.url, ann.token) as lost:
            back = await fathom_client.recover(one.url, ann.recovery, "back", end_others=True)
            assert await ended(lost) == "token-ended"
        assert await refusal(Client(two.url, ann.token).__aenter__()) == "bad-token"
        async with Client(two.url, back.token) as kept:
            await kept.do(wire.FollowLobby(on=False))
        assert [await one.stop(), await two.stop()] == [0, 0]

    run(story())


def test_a_token_that_ends_while_somebody_arrives_lets_nobody_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann")
            end = server.harbour.sessions.end
            recognise: Callable[[Log, str], Awaitable[StoredToken]] = identity.recognise

            async def late(log: Log, token: str) -> StoredToken:
                found = await recognise(log, token)
                await end(ann.you)
                return found

            monkeypatch.setattr(connections, "recognise", late)
            assert await refusal(server.tab(ann.token)) == "bad-token"

    run(story())


def test_after_an_outage_it_is_found_out_which_tokens_were_ended(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann")
            line = await server.tab(ann.token)
            # As another process would have done while this one could not hear or ask.
            server.harbour.log_went("a test")
            await server.harbour.log.end_tokens(ann.you)
            assert await ended(line) == "token-ended"

    run(story())


# Nothing that is kept


def test_what_is_kept_opens_nothing(tmp_path: Path) -> None:
    """Hashes, ids and names that the log has, or that anybody is shown, are no tokens."""
    secrets: list[str] = []

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann", "Phone")
            program = await fathom_client.new_program(
                server.url, ann.token, "Bot", wire.Scope(games=True)
            )
            new = await fathom_client.renew_recovery(server.url, ann.token, ann.recovery)
            secrets.extend((ann.token, ann.recovery, program.token, new))
            stored = [identity.token_hash(token).hex() for token in (ann.token, program.token)]
            for guess in (*stored, f"scope/{program.token}", program.token.partition(".")[2]):
                assert await refusal(fathom_client.devices(server.url, guess)) == "bad-token"
            listed = await raw(server, ann.token)
            assert not any(secret in listed for secret in (*secrets, *stored))

    run(story())
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert b"Phone" in kept
    assert not any(secret.encode() in kept for secret in secrets)


async def raw(server: Server, token: str) -> str:
    """The list of devices, as it is sent."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.get(f"{server.url}/api/identity/tokens") as answer,
    ):
        return await answer.text()
