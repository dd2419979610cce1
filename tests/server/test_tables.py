"""Identities, the lobby, and what happens at a table before and after a game."""

import asyncio
from collections.abc import Awaitable
from functools import partial
from http import HTTPStatus
from pathlib import Path
from random import Random

import aiohttp
import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.bots.phrases import PleaseCharge
from fathom.bots.ranks import Rank
from fathom.client import Client, Failed, call
from fathom.engine import orders as give
from fathom.rules.setup import House
from fathom.server import wire
from fathom.server.boat_names import BOAT_NAMES, two_names
from fathom.server.wire import BotHand, Identity, Person, Settings, TableState
from fathom.words import Crew, Mode, Post, Seat, System
from tests.server.serving import QUICK, Server, begun, duel_of, run, serving

CAPTAIN, MATE, ENGINEER, RADIO = Post


async def refused(asked: Awaitable[object]) -> str:
    """The key or rule with which something is refused."""
    with pytest.raises(Failed) as failed:
        await asked
    return failed.value.error


def holder(table: TableState, crew: Crew, post: Post) -> str:
    """Who holds a post, in a word."""
    found = next(b.holder for b in table.crews[crew].berths if b.post is post)
    if isinstance(found, Person):
        return found.name
    return found.rank.value if isinstance(found, BotHand) else ""


# Identities


def test_a_name_is_all_that_is_needed_and_a_code_carries_it_over(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "  Ann   Bonny ")
            assert ann.name == "Ann Bonny"
            again = await call(
                server.url, "/api/identity/recover", Identity, wire.Recovery(ann.recovery.lower())
            )
            assert (again.you, again.name) == (ann.you, ann.name)
            assert again.token != ann.token
            for token in (ann.token, again.token):
                seen = await call(server.url, "/api/identity", Identity, token=token)
                assert (seen.you, seen.token, seen.recovery) == (ann.you, "", "")
            with pytest.raises(Failed, match="bad-recovery"):
                await call(
                    server.url, "/api/identity/recover", Identity, wire.Recovery("AAAA-BBBB")
                )
            with pytest.raises(Failed, match="bad-token"):
                await call(server.url, "/api/identity", Identity, token="x" * 32)
            with pytest.raises(Failed, match="bad-name"):
                await fathom_client.register(server.url, "\u202e\u0007")

    run(story())


def test_tokens_and_recovery_codes_are_not_in_the_log(tmp_path: Path) -> None:
    secrets: list[str] = []

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await fathom_client.register(server.url, "Ann")
            client = await server.tab(ann.token)
            await server.table(client)
            secrets.extend((ann.token, ann.recovery))

    run(story())
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Ann" in kept
    assert not any(secret.encode() in kept for secret in secrets)


def test_a_wrong_token_or_protocol_ends_the_connection(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            with pytest.raises(Failed, match="bad-token"):
                await server.tab("0" * 32)

    run(story())


# The lobby


def test_a_table_is_in_the_lobby_while_it_has_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await server.player("Ann"), await server.player("Bob")
            lobbies: list[wire.Lobby] = []
            bob.listeners.append(lambda n: lobbies.append(n) if isinstance(n, wire.Lobby) else None)
            await bob.do(wire.FollowLobby())
            code = await server.table(ann)
            await server.table(ann, Settings(listed=False))
            await bob.until(lambda: bool(lobbies and lobbies[-1].tables))
            (card,) = lobbies[-1].tables
            assert (card.code, card.host, card.free, card.persons) == (code, "Ann", 8, 0)
            assert (card.rulebook, card.scenario) == ("captain-sonar", "alpha")
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            await ann.do(wire.Start(table=code, fill=True))
            await bob.until(lambda: bool(lobbies[-1].games))
            assert lobbies[-1].tables == ()
            assert [game.code for game in lobbies[-1].games] == [code]
            now = await call(server.url, "/api/lobby", wire.LobbyNow)
            assert now.games == lobbies[-1].games

    run(story())


# At the table


def test_posts_are_taken_given_up_and_swapped(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await server.player("Ann"), await server.player("Bob")
            code = await server.table(ann)
            await bob.open(code)
            await ann.do(wire.Sit(table=code, crew=Crew.A, posts=(CAPTAIN, MATE)))
            taken = bob.do(wire.Sit(table=code, crew=Crew.A, posts=(CAPTAIN,)))
            assert await refused(taken) == "post-taken"
            await bob.do(wire.Sit(table=code, crew=Crew.A, posts=(RADIO,)))
            await bob.do(wire.Swap(table=code, crew=Crew.A, post=CAPTAIN))
            assert holder(ann.tables[code], Crew.A, CAPTAIN) == "Ann"
            await ann.until(lambda: bool(ann.tables[code].swaps))
            await ann.do(wire.Swap(table=code, crew=Crew.A, post=RADIO))
            table = ann.tables[code]
            assert [holder(table, Crew.A, post) for post in Post] == ["Bob", "Bob", "", "Ann"]
            assert table.swaps == ()
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            assert [holder(bob.tables[code], Crew.A, p) for p in Post] == ["", "", "", "Ann"]
            assert [holder(bob.tables[code], Crew.B, p) for p in Post] == ["Bob"] * 4
            await bob.do(wire.Stand(table=code, posts=(ENGINEER,)))
            assert holder(bob.tables[code], Crew.B, ENGINEER) == ""

    run(story())


async def rename(url: str, token: str, name: str) -> None:
    """Take another name, as the settings page does."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.patch(f"{url}/api/identity", json={"name": name}, headers=headers) as answer,
    ):
        assert answer.status == HTTPStatus.OK, await answer.text()


def test_a_new_name_is_seen_at_a_table_that_gathers_and_by_records_at_the_next_game(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await server.player("Ann"), await server.player("Ann")
            code = await server.table(ann, QUICK)
            await bob.open(code)
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            await rename(server.url, ann.token, "Anne")
            await bob.until(lambda: holder(bob.tables[code], Crew.A, CAPTAIN) == "Anne")
            now = await call(server.url, "/api/lobby", wire.LobbyNow)
            assert [card.host for card in now.tables] == ["Anne"]
            # Who has no post yet takes it under the new name, on the same connection.
            await rename(server.url, bob.token, "Bob")
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            for player in (ann, bob):
                await player.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            game = await begun([ann, bob], code)
            await rename(server.url, bob.token, "Robert")
            crews = ann.games[game].opened.setup.crews
            assert [crew.seats[0].name for crew in crews] == ["Anne", "Bob"]
            assert holder(ann.tables[code], Crew.B, CAPTAIN) == "Bob"

    run(story())


def test_only_the_host_decides(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await server.player("Ann"), await server.player("Bob")
            code = await server.table(ann)
            await bob.open(code)
            for asked in (
                wire.PlaceBot(table=code, crew=Crew.A),
                wire.ClearPost(table=code, crew=Crew.A, post=CAPTAIN),
                wire.ChangeSettings(table=code, settings=QUICK),
                wire.NameBoat(table=code, crew=Crew.A, boat="Grampus"),
                wire.Start(table=code),
            ):
                assert await refused(bob.do(asked)) == "not-the-host"
            await bob.do(wire.Sit(table=code, crew=Crew.B, posts=(CAPTAIN,)))
            await bob.do(wire.NameBoat(table=code, crew=Crew.B, boat="Grampus"))
            assert bob.tables[code].crews.b.boat == "Grampus"
            await ann.do(wire.PlaceBot(table=code, crew=Crew.A, rank=Rank.ADMIRAL))
            assert holder(ann.tables[code], Crew.A, MATE) == "admiral"

    run(story())


def test_what_is_not_allowed_is_said_with_its_rule(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            code = await server.table(ann, Settings(rulebook="captain-sonar-2"))
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            await ann.do(wire.PlaceBot(table=code, crew=Crew.B))
            table = ann.tables[code]
            assert table.obstacle is None
            assert table.options is not None
            modes = {option.name: option.obstacle for option in table.options.modes}
            assert modes["turn-by-turn"] is None
            assert modes["real-time"] == wire.Obstacle(
                "crew.mode", {"mode": "real-time", "players": 2, "fewest": 6, "most": 8}
            )
            real_time = replace(table.settings, mode=Mode.REAL_TIME)
            await ann.do(wire.ChangeSettings(table=code, settings=real_time))
            assert await refused(ann.do(wire.Start(table=code))) == "crew.mode"
            house = replace(real_time.house, lift_crew_rules=True)
            lifted = replace(real_time, house=house)
            await ann.do(wire.ChangeSettings(table=code, settings=lifted))
            await ann.do(wire.Start(table=code))
            await begun([ann], code)

    run(story())


def test_what_bots_make_possible_is_allowed(tmp_path: Path) -> None:
    """One person in a whole boat: bots make it one against one, people would be up to four."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            code = await server.table(ann)
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            options = ann.tables[code].options
            assert options is not None
            modes = {option.name: option.obstacle for option in options.modes}
            assert modes["turn-by-turn"] is None
            # In real time there is a bot for each post: one against four.
            assert modes["real-time"] == wire.Obstacle("crew.sizes", {"a": 1, "b": 4})
            await ann.do(wire.Start(table=code, fill=True))
            await begun([ann], code)

    run(story())


def test_a_rulebook_with_fewer_posts_keeps_who_is_on_them(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            code = await server.table(ann)
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            boats = [crew.boat for crew in ann.tables[code].crews]
            await ann.do(wire.ChangeSettings(table=code, settings=Settings(rulebook="sonar")))
            table = ann.tables[code]
            assert [berth.post for berth in table.crews.a.berths] == [CAPTAIN, RADIO]
            assert holder(table, Crew.A, RADIO) == "Ann"
            assert [crew.colour for crew in table.crews] == ["blue", "green"]
            assert [crew.boat for crew in table.crews] == boats

    run(story())


def test_boats_are_named_by_chance() -> None:
    pairs = {two_names(Random(seed)) for seed in range(200)}
    assert len(pairs) > 150
    assert all(first != second for first, second in pairs)
    assert all(1 <= len(name) <= 40 for name in BOAT_NAMES)


def test_a_tables_boats_have_names_from_the_start(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            first, second = (crew.boat for crew in ann.tables[await server.table(ann)].crews)
            assert first != second
            assert {first, second} <= set(BOAT_NAMES)

    run(story())


def test_nobody_starts_before_all_are_there_and_ready(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob = await server.player("Ann"), await server.player("Bob")
            code = await server.table(ann)
            await bob.open(code)
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            assert await refused(ann.do(wire.Start(table=code))) == "seats-empty"
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            assert await refused(ann.do(wire.Start(table=code))) == "not-ready"
            await bob.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            await begun([ann, bob], code)
            assert await refused(bob.do(wire.Stand(table=code))) == "game-is-on"

    run(story())


def test_settings_that_cannot_be_played_make_no_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            for settings, error in (
                (Settings(scenario="atlantis"), "start.choices"),
                (Settings(rulings={"torpedo_range": "far"}), "start.choices"),
                (Settings(chart_text="what?"), "bad-chart"),
                (Settings(rulebook="chess"), "unknown-scenario"),
                (Settings(house=House(pause_seconds=-1)), "bad-message"),
                (Settings(house=House(answer_seconds=1e9)), "bad-message"),
                (Settings(house=House(leaving_seconds=1e9)), "bad-message"),
            ):
                with pytest.raises(Failed, match=error):
                    await fathom_client.new_table(server.url, ann.token, settings)

    run(story())


# One click, and after the end


def test_one_click_plays_against_the_computer(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, solo=True)
            assert made.link == f"{server.url}/t/{made.table}"
            await ann.open(made.table)
            game = await begun([ann], made.table)
            seen = ann.games[game]
            assert seen.opened.posts == tuple(Post)
            assert any(isinstance(order, give.Place) for order in seen.offer.orders)
            assert holder(ann.tables[made.table], Crew.B, CAPTAIN) == "lieutenant"

    run(story())


def test_a_rematch_swaps_sides(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server)
            await bob.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")
            result = ann.tables[code].result
            assert result is not None
            assert (result.winner, result.why) == (Crew.A, "end.resign")
            await bob.do(wire.Rematch(table=code))
            await ann.until(lambda: ann.tables[code].phase == "gathering")
            assert holder(ann.tables[code], Crew.B, CAPTAIN) == "Player 1"
            await bob.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            second = await begun_anew(ann, code, game)
            assert ann.games[second].opened.seat == Seat(Crew.B, 0)
            assert ann.tables[code].games == (game,)

    run(story())


def test_bots_of_a_rematch_follow_the_rank_that_the_host_chooses(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann, code, game = await solo_game(server)
            await ann.do(wire.Rematch(table=code))
            await ann.do(wire.ClearPost(table=code, crew=Crew.A, post=MATE))
            posted = wire.PlaceBot(table=code, crew=Crew.A, posts=(MATE,), rank=Rank.ADMIRAL)
            await ann.do(posted)
            settings = replace(ann.tables[code].settings, rank=Rank.CADET)
            await ann.do(wire.ChangeSettings(table=code, settings=settings))
            assert holder(ann.tables[code], Crew.A, CAPTAIN) == "cadet"
            # A bot that was given a rank of its own keeps it.
            assert holder(ann.tables[code], Crew.A, MATE) == "admiral"
            await ann.do(wire.Start(table=code))
            second = await begun_anew(ann, code, game)
            names = server.harbour.duels[second].names
            assert names == (("Cadet 1", "Admiral 2"), ("Ann",))

    run(story())


def test_a_person_alone_with_bots_plays_again_at_once_on_the_same_side(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann, code, first = await solo_game(server)
            await ann.do(wire.Rematch(table=code, at_once=True))
            second = await begun_anew(ann, code, first)
            assert ann.games[second].opened.seat == Seat(Crew.A, 0)
            assert ann.tables[code].games == (first,)
            assert holder(ann.tables[code], Crew.B, CAPTAIN) == "lieutenant"
            again = ann.do(wire.Rematch(table=code, at_once=True))
            assert await refused(again) == "game-is-on"
            await ann.order(second, give.RESIGN)
            # The table need not know of the end before the player asks.
            await ann.do(wire.Rematch(table=code, at_once=True, rank=Rank.ADMIRAL))
            third = await begun_anew(ann, code, second)
            assert ann.tables[code].games == (first, second)
            assert holder(ann.tables[code], Crew.B, CAPTAIN) == "admiral"
            assert ann.tables[code].settings.rank is Rank.ADMIRAL
            # The bot is there and plays.
            await ann.until(lambda: ann.games[third].sheets["public"].dived.b)

    run(story())


def test_only_a_host_who_is_alone_with_bots_plays_again_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server)
            await bob.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")
            again = wire.Rematch(table=code, at_once=True)
            assert await refused(ann.do(again)) == "not-ready"
            assert await refused(bob.do(again)) == "not-the-host"
            assert ann.tables[code].phase == "over"
            await bob.do(wire.Stand(table=code))
            await ann.do(again)
            await begun_anew(ann, code, game)
            assert holder(ann.tables[code], Crew.B, CAPTAIN) == "lieutenant"

    run(story())


async def solo_game(server: Server) -> tuple[Client, str, str]:
    """A game against the computer that its player gave up: the player, the table, the game."""
    ann = await server.player("Ann")
    made = await fathom_client.new_table(server.url, ann.token, QUICK, solo=True)
    await ann.open(made.table)
    game = await begun([ann], made.table)
    await ann.order(game, give.RESIGN)
    await ann.until(lambda: ann.tables[made.table].phase == "over")
    return ann, made.table, game


async def begun_anew(client: Client, code: str, before: str) -> str:
    await client.until(lambda: client.tables[code].game not in (None, before))
    game = client.tables[code].game or ""
    await client.until(lambda: game in client.games)
    return game


# Talk


def test_a_crews_talk_reaches_that_crew_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, players = await duel_of(server, size=2)
            watcher = await server.player("Watcher")
            await watcher.open(code)
            everyone = [*players, watcher]
            lines: dict[Client, list[str]] = {client: [] for client in everyone}
            for client in everyone:
                client.listeners.append(partial(note_words, lines[client]))
            await players[0].do(wire.SayWords(table=code, channel="crew", text="they  are\nnear"))
            await players[2].do(wire.SayWords(table=code, channel="table", text="<b>good luck</b>"))
            nobody = wire.SayWords(table=code, channel="table", text="psst, B4")
            assert await refused(watcher.do(nobody)) == "not-at-this-table"
            for client in everyone:
                await client.do(wire.FollowLobby(on=False))
            both = ["they are near", "<b>good luck</b>"]
            assert [lines[client] for client in everyone] == [both, both, *[both[1:]] * 3]
            # Whoever comes later reads what was for them, and no more.
            late = await server.tab(players[3].token)
            heard: list[str] = []
            late.listeners.append(partial(note_words, heard))
            await late.open(code)
            assert heard == both[1:]

    run(story())


def note_words(heard: list[str], news: wire.AnyNews) -> None:
    if isinstance(news, wire.ChatLine):
        heard.append(news.text)


def test_a_phrase_is_a_key_for_every_language(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, players = await duel_of(server, size=2)
            heard: list[wire.ChatLine] = []
            players[1].listeners.append(
                lambda n: heard.append(n) if isinstance(n, wire.ChatLine) else None
            )
            phrase = PleaseCharge(System.TORPEDO)
            await players[0].do(wire.SayPhrase(table=code, phrase=phrase))
            await players[1].until(lambda: bool(heard))
            assert heard[0].phrase == phrase
            assert (heard[0].channel, heard[0].crew, heard[0].seat) == ("crew", Crew.A, 0)

    run(story())


# The last post, a thousand times


@pytest.mark.slow
def test_of_two_who_take_the_last_post_at_once_one_gets_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob, eve = [await server.player(name) for name in ("Ann", "Bob", "Eve")]
            code = await server.table(ann)
            for client in (bob, eve):
                await client.open(code)
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            await ann.do(wire.PlaceBot(table=code, crew=Crew.B, posts=(MATE, ENGINEER, RADIO)))
            won = {"Bob": 0, "Eve": 0}
            for _ in range(1000):
                won[await race(server, code, bob, eve)] += 1
            assert sum(won.values()) == 1000

    run(story())


async def race(server: Server, code: str, bob: Client, eve: Client) -> str:
    """Both sit down at once; the name of who did. The other one is told."""
    sit = wire.Sit(table=code, crew=Crew.B, posts=(CAPTAIN,))
    answers = await asyncio.gather(bob.ask(sit), eve.ask(sit))
    got = [isinstance(answer, wire.Done) for answer in answers]
    assert sorted(got) == [False, True]
    told = answers[got.index(False)]
    assert isinstance(told, wire.Problem)
    assert told.error == "post-taken"
    table = server.harbour.rooms[code].table
    winner = bob if got[0] else eve
    kept = next(b.holder for b in table.crews.b.berths if b.post is CAPTAIN)
    assert isinstance(kept, Person)
    assert winner.welcome is not None
    assert kept.who == winner.welcome.you
    await winner.do(wire.Stand(table=code))
    return kept.name
