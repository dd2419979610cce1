"""A bot's orders and words don't depend on what its seat can't know."""

from collections.abc import Iterable
from random import Random

import pytest
from msgspec.structs import replace

from fathom.bots.cadet import Cadet
from fathom.bots.phrases import AnyPhrase
from fathom.bots.ranks import RANKS, Rank
from fathom.bots.roster import enlist
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.offer import Offer, offer
from fathom.engine.orders import RESIGN, AnyOrder
from fathom.rules.rulebook import Goal
from fathom.rules.setup import CrewPlan, Setup
from fathom.server.crewman import BotMaker
from fathom.words import CREWS, ByCrew, Crew, Mode, Post
from tests.bots.voyages import tell
from tests.engine.tables import SCENES, SEAS, BookModeSea, eventful, seats, shared_out
from tests.engine.test_secrets import sounding_alike
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, table

BotDecision = tuple[AnyOrder | None, tuple[AnyPhrase, ...]]
"""What a bot does when it is asked: an order or none, and what it says."""

SHARING = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 0, 1, 2), (0, 1, 0, 1))
"""Ways to share four posts out."""
ORDERS = 45
"""So many orders of both crews are compared."""


def of_rank(rank: Rank) -> BotMaker:
    return lambda ground, seat: enlist(rank, ground, seat, 5)


class Peeper(Cadet):
    """A bot that somebody gave the game: it does what depends on where the enemy is."""

    game: Game

    def choose(self, offer: Offer) -> AnyOrder | None:
        orders = [order for order in offer.orders if order != RESIGN]
        at = self.game.boats[self.seat.crew.other].helm.at
        return orders[at % len(orders)] if orders else None


class Crewmen:
    """A crew of bots in one of the two games."""

    def __init__(self, setup: Setup, crew: Crew, make: BotMaker) -> None:
        self.ground = new_game(setup).ground
        ours = [seat for seat in seats(setup) if seat.crew is crew]
        self.bots = {seat: make(self.ground, seat) for seat in ours}

    def hear(self, events: Iterable[AnyEvent]) -> None:
        for seat, bot in self.bots.items():
            tell(bot, self.ground, seat, events)

    def asked(self, game: Game) -> list[tuple[Offer, BotDecision]]:
        """What each is offered and does; what is said reaches the others."""
        done = []
        for seat, bot in self.bots.items():
            offered = offer(game, seat)
            if isinstance(bot, Peeper):
                bot.game = game
            order, said = bot.choose(offered), tuple(bot.speak())
            for mate in self.bots:
                if mate != seat:
                    for phrase in said:
                        self.bots[mate].heed(seat, phrase)
            done.append((offered, (order, said)))
        return done


def compare(setup: Setup, ours: Crew, numbers: bytes, makes: Iterable[BotMaker]) -> tuple[int, int]:
    """Bots in both games do the same; how often they did anything, and how often games differed."""
    pairs = [(Crewmen(setup, ours, make), Crewmen(setup, ours, make)) for make in makes]
    acted = differing = 0
    for one, other, events, other_events in sounding_alike(setup, ours, numbers):
        if one.public.phase == "over":
            break
        differing += one.boats[ours.other] != other.boats[ours.other]
        for crewmen, others in pairs:
            crewmen.hear(events)
            others.hear(other_events)
            for (offered, done), (other_offered, other_done) in zip(
                crewmen.asked(one), others.asked(other), strict=True
            ):
                assert offered == other_offered
                assert done == other_done
                acted += done[0] is not None
    return acted, differing


def crews(book: str, dice: Random) -> ByCrew[CrewPlan]:
    """Both crews with their posts shared out in some way."""
    posts = tuple(Post) if book in CAPTAIN_BOOKS else (Post.CAPTAIN, Post.RADIO_OPERATOR)
    holders = dice.choice(SHARING)[: len(posts)]
    plan = CrewPlan("Boat", shared_out(posts, holders))
    return ByCrew(plan, plan)


def scene_setup(scene: BookModeSea, dice: Random) -> Setup:
    """A table of the scene on which much happens."""
    book, mode, name = scene
    house = {
        "stations": dice.choice(("open", "closed")),
        "trace_judge": dice.choice(("program", "enemy-engineer")),
    }
    setup = eventful(table(book, mode, chart=SEAS[name], house=house, crews=crews(book, dice)))
    # Thick hulls, so that the games last; but not so thick that nobody fears anything.
    return replace(setup, goal=Goal("sink", 6))


def secrets_kept(setup: Setup, ours: Crew, numbers: bytes) -> int:
    """After how many orders the two games differ."""
    games = sounding_alike(setup, ours, numbers)
    return sum(one.boats[ours.other] != other.boats[ours.other] for one, other, *_ in games)


def check_scene(scene: BookModeSea, ranks: Iterable[Rank], orders: int) -> None:
    dice = Random(f"{scene[0]}/{scene[1].value}/{scene[2]}")
    setup = scene_setup(scene, dice)
    # Random crews may sink each other at once, or do nothing secret: take the best of some tries.
    tries = [(ours, dice.randbytes(4 * orders)) for ours in CREWS for _ in range(4)]
    ours, numbers = max(tries, key=lambda chosen: secrets_kept(setup, *chosen))
    acted, differing = compare(setup, ours, numbers, map(of_rank, ranks))
    assert acted > 10
    assert differing > 10


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_bots_do_the_same_in_games_that_differ_in_the_enemys_secrets(book: str, mode: Mode) -> None:
    check_scene((book, mode, "islands"), (Rank.CADET, Rank.LIEUTENANT, Rank.ADMIRAL), ORDERS)


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda s: f"{s[0]}-{s[1].value}-{s[2]}")
def test_ranks_by_turns_do_the_same_in_every_scene(scene: BookModeSea) -> None:
    # Half of the ranks by turns: each of them has seen 25 of the 50 scenes in the end.
    check_scene(scene, RANKS[SCENES.index(scene) % 2 :: 2], 30)


def test_a_bot_that_peeps_is_caught() -> None:
    setup = scene_setup(("captain-sonar", Mode.TURN_BY_TURN, "islands"), Random(1))
    numbers = Random(3).randbytes(4 * ORDERS)
    with pytest.raises(AssertionError, match=r"assert .Place.* == .Place"):
        compare(setup, Crew.A, numbers, [lambda ground, seat: Peeper(ground, seat, 5)])
