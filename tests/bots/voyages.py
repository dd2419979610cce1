"""Stories with bots aboard: they hear their seat's share, are asked, and speak."""

from collections.abc import Iterable
from typing import Any

from fathom.bots.desk import Desk
from fathom.bots.officer import Officer
from fathom.bots.phrases import AnyPhrase
from fathom.bots.protocol import Bot
from fathom.bots.ranks import Rank
from fathom.bots.traits import TRAITS, Traits
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.knowledge.view import overhear
from fathom.engine.offer import offer
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import Setup
from fathom.words import Crew, Mode, Post, Seat
from tests.stories import Story, table

ALONE = ((Post.CAPTAIN,), (Post.FIRST_MATE,), (Post.ENGINEER,), (Post.RADIO_OPERATOR,))
"""Each post with a player of its own: eight players."""


def officer(
    ground: CompiledSetup, seat: Seat, rank: Rank = Rank.COMMANDER, traits: Traits | None = None
) -> Officer:
    """A bot above cadet, whose stations can be looked at."""
    return Officer(ground, seat, 7, traits or TRAITS[rank])


def tell(bot: Bot, ground: CompiledSetup, seat: Seat, events: Iterable[AnyEvent]) -> None:
    """Let the bot hear its seat's share."""
    for event in events:
        news = overhear(ground, event, seat)
        if news is not None:
            bot.hear(news)


class Voyage(Story):
    """A story with one bot aboard, at the seat that holds a post of a crew."""

    def __init__(
        self,
        setup: Setup,
        post: Post,
        *,
        crew: Crew = Crew.A,
        rank: Rank = Rank.COMMANDER,
        a: str = "A1",
        b: str = "J10",
        traits: Traits | None = None,
    ) -> None:
        self.place = Seat(crew, new_game(setup).ground.seat_of(crew, post))
        super().__init__(setup, a, b)
        self.bot = officer(self.game.ground, self.place, rank, traits)
        self.heard = 0

    def listen(self) -> None:
        """The bot hears what has happened since the last time."""
        tell(self.bot, self.game.ground, self.place, self.events[self.heard :])
        self.heard = len(self.events)

    def ask(self) -> AnyOrder | None:
        """What the bot wants to do now; the order must be one that the engine offers."""
        self.listen()
        offered = offer(self.game, self.place)
        order = self.bot.choose(offered)
        assert order is None or order in offered.orders or offered.sections or offered.judging
        return order

    def let_act(self) -> AnyOrder | None:
        """The bot does what it wants to do now."""
        order = self.ask()
        if order is not None:
            self.from_seats([(self.place, order)])
            self.listen()
        return order

    def remarks(self) -> list[AnyPhrase]:
        """What the bot says when it is asked for an order; the order is not given."""
        self.ask()
        return list(self.bot.speak())

    def say(self, post: Post, phrase: AnyPhrase) -> None:
        """Somebody else of the bot's crew says something."""
        speaker = self.seat(self.place.crew, post)
        assert speaker != self.place
        self.bot.heed(speaker, phrase)

    def desk(self) -> Desk:
        """What the bot's next decision is made from."""
        self.listen()
        bot = self.bot
        return Desk(bot.mind, bot.counsel, offer(self.game, self.place), bot.dice())


def eight(
    rulebook: str = "captain-sonar",
    mode: Mode = Mode.TURN_BY_TURN,
    *,
    closed: bool = False,
    players: int = 8,
    **choices: Any,
) -> Setup:
    """A table at which every post has a player of its own, or with fewer players."""
    house = {"stations": "closed" if closed else "open"}
    return table(rulebook, mode, house=house, players=players, **choices)
