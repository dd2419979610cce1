"""What a seat is told beside its orders: why not, and what a mark would do."""

from pathlib import Path

from msgspec.structs import replace

from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.actions.cross_out import Mark
from fathom.server import wire
from fathom.words import Crew, Heading, Kind, Mode
from tests.server.serving import QUICK, duel_of, run, serving, settled

HEADINGS = [f"course {heading.value}" for heading in Heading]


def test_who_may_not_sail_is_told_why(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.A)
            _, game, (ann, bob) = await duel_of(server, settings=settings)
            assert ann.games[game].offer.hindered["dive"] == "start.place"
            await placed(ann, bob, game)
            for key in HEADINGS:
                assert bob.games[game].offer.hindered[key] == "turn.yours"
            await blocked_ways_are_refused(ann, game)
            course = next(o for o in ann.games[game].offer.orders if isinstance(o, give.SetCourse))
            await ann.order(game, course)
            await settled([ann, bob], game)
            offer = ann.games[game].offer
            assert offer.hindered["end-turn"] == "turn.order"
            symbols = {o.symbol for o in offer.orders if isinstance(o, give.CrossOut)}
            assert offer.marks.keys() == symbols
            assert Mark("breaks", kind=Kind.RED) in offer.marks.values()
            assert bob.games[game].offer.marks == {}

    run(story())


async def placed(ann: Client, bob: Client, game: str) -> None:
    """Ann in the corner A1, Bob on the first sea point; both dive."""
    for client in (ann, bob):
        points = [o for o in client.games[game].offer.orders if isinstance(o, give.Place)]
        assert isinstance(await client.order(game, points[0]), wire.Done)
        await settled([client], game)
        assert "dive" not in client.games[game].offer.hindered
        assert isinstance(await client.order(game, give.DIVE), wire.Done)
    await settled([ann, bob], game)


async def blocked_ways_are_refused(ann: Client, game: str) -> None:
    """A refusal names the same rule, and an open way has none."""
    hindered = ann.games[game].offer.hindered
    open_ways = {o.heading for o in ann.games[game].offer.orders if isinstance(o, give.SetCourse)}
    assert 0 < len(open_ways) < 4
    for heading in Heading:
        rule = hindered.get(f"course {heading.value}")
        assert (rule is None) == (heading in open_ways)
        if rule is not None:
            answer = await ann.order(game, give.SetCourse(heading))
            assert isinstance(answer, wire.Refused)
            assert answer.rule == rule


def test_in_a_full_crew_each_post_has_its_own_reasons(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, mode=Mode.REAL_TIME)
            _, game, players = await duel_of(server, 4, settings)
            await placed(players[0], players[4], game)
            await settled(players, game)
            keys = [set(player.games[game].offer.hindered) for player in players[:4]]
            assert "torpedo" in keys[0]
            assert {"charge torpedo", "drone"} <= keys[1]
            assert keys[2] == keys[3] == set()
            course = next(
                o for o in players[0].games[game].offer.orders if isinstance(o, give.SetCourse)
            )
            await players[0].order(game, course)
            await settled(players, game)
            marks = [bool(player.games[game].offer.marks) for player in players]
            assert marks == [False, False, True, False, False, False, False, False]
            captain = players[0].games[game].offer.hindered
            assert {captain[key] for key in HEADINGS} == {"move.acknowledge"}

    run(story())
