"""Not a byte that one crew or the public receives depends on the enemy's secrets."""

import re
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from fathom.client import Client, Seen
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import House, Setup
from fathom.server import wire
from fathom.server.duel import Duel
from fathom.server.wire import Clocks, Settings
from fathom.words import Crew, Mode, Seat
from tests.server.alike import Pair, sound_alike
from tests.server.serving import Server, begun, posts_of, run, serving

LENGTH = 60
HEAT, PONG = '{"type":"heat"', '{"type":"pong"'
REAL_TIME = Mode.REAL_TIME
QUICK_HOUSE = House(pause_seconds=0.0)


def settings(rulebook: str, mode: Mode = Mode.TURN_BY_TURN, **house: object) -> Settings:
    agreed = replace(QUICK_HOUSE, **house) if house else QUICK_HOUSE
    # The family game's first scenario names the starts, so there would be less to hide.
    scenario = "jules-verne" if rulebook == "sonar" else None
    return Settings(rulebook=rulebook, mode=mode, scenario=scenario, house=agreed, first=Crew.A)


class Stage:
    """A table with two whole crews, a spectator, and everything that each of them received."""

    def __init__(self, server: Server, given: Settings, size: int) -> None:
        self.server, self.settings, self.size = server, given, size
        self.streams: dict[str, list[str]] = {}
        self.plots: dict[str, str] = {}
        """The last heat map that each has received."""
        self.plotted: dict[str, int] = {}
        """The position after which it was made."""

    async def open(self) -> None:
        self.players = [await self.listener(f"Player {n}") for n in range(2 * self.size)]
        self.watcher = await self.listener("Watcher")
        host = self.players[0]
        self.code = await self.server.table(host, self.settings)
        # Boats have names by chance until they are named: only what comes then is alike.
        for side, boat in zip(Crew, ("First boat", "Other boat"), strict=True):
            await host.do(wire.NameBoat(table=self.code, crew=side, boat=boat))
        self.streams["Player 0"].clear()
        for number, player in enumerate(self.players):
            if number:
                await player.open(self.code)
            side = Crew.A if number < self.size else Crew.B
            posts = posts_of(self.settings.rulebook)[number % self.size :: self.size]
            await player.do(wire.Sit(table=self.code, crew=side, posts=posts))
            await player.do(wire.GetReady(table=self.code))
        await self.watcher.open(self.code)
        await host.do(wire.Start(table=self.code))
        self.game = await begun([*self.players, self.watcher], self.code)
        await self.settle(self.everyone())

    async def listener(self, name: str) -> Client:
        client = await self.server.player(name)
        client.prefix = "same"
        self.streams[name] = []
        client.raw.append(partial(self.receive, name))
        client.listeners.append(partial(self.see_heat, name))
        return client

    def receive(self, name: str, text: str) -> None:
        """Keep what came, but for pongs and plots in between: they depend on how long it takes."""
        if text.startswith(HEAT):
            self.plots[name] = text
        elif not text.startswith(PONG):
            self.streams[name].append(text)

    def see_heat(self, name: str, news: wire.AnyNews) -> None:
        if isinstance(news, wire.Heat):
            self.plotted[name] = news.position

    def everyone(self) -> list[Client]:
        return [*self.players, self.watcher]

    def player(self, seat: Seat) -> Client:
        return self.players[seat.number + (0 if seat.crew is Crew.A else self.size)]

    async def settle(self, clients: list[Client]) -> None:
        """Each has received all that was on its way; twice, because a stop's end comes later."""
        for _ in range(2):
            for client in clients:
                await client.do(wire.FollowLobby(on=False))
        if self.settings.house.radio_help == "computer":
            await self.wait_for_plots()

    async def wait_for_plots(self) -> None:
        """Every player has the heat map of this moment; it is part of what they received."""
        for number, player in enumerate(self.players):
            name = f"Player {number}"
            seen = player.games[self.game]
            await player.until(partial(self.is_plotted, name, seen), 60)
            if not self.streams[name][-1].startswith(HEAT):
                self.streams[name].append(self.plots[name])

    def is_plotted(self, name: str, seen: Seen) -> bool:
        return self.plotted.get(name) == seen.position

    async def give(self, seat: Seat, order: AnyOrder) -> None:
        answer = await self.player(seat).order(self.game, order)
        assert isinstance(answer, wire.Done), (order, answer)

    def received(self, ours: Crew) -> dict[str, list[str]]:
        """What our crew and the spectator received; names that chance gave are made alike."""
        first = 0 if ours is Crew.A else self.size
        mine = [f"Player {n}" for n in range(first, first + self.size)]
        return {
            name: [self.alike(text) for text in self.streams[name]] for name in (*mine, "Watcher")
        }

    def alike(self, text: str) -> str:
        """The same length, with the names of game, table, players and moments struck out."""
        for client in self.everyone():
            assert client.welcome is not None
            text = text.replace(client.welcome.you, "?" * len(client.welcome.you))
        text = text.replace(self.game, "?" * len(self.game)).replace(self.code, "?????")
        return re.sub(r'("(?:now|at)":)\d{13}', r"\1" + "?" * 13, text)


async def setup_of(server: Server, given: Settings, size: int) -> Setup:
    """The set-up that such a table gets."""
    stage = Stage(server, given, size)
    await stage.open()
    return stage.players[0].games[stage.game].opened.setup


CLOCKS = Clocks(turn_seconds=3600, game_seconds=36_000)
TABLES = {
    "captain-sonar": (settings("captain-sonar"), 1),
    "captain-sonar-2": (settings("captain-sonar-2", radio_help="tape"), 2),
    "captain-sonar-ru, real time": (settings("captain-sonar-ru", REAL_TIME), 4),
    "captain-sonar-2, real time, closed": (
        settings("captain-sonar-2", REAL_TIME, stations="closed", radio_help="tape"),
        4,
    ),
    "sonar": (settings("sonar"), 1),
    "sonar, real time, closed": (settings("sonar", REAL_TIME, stations="closed"), 2),
    "clocks": (replace(settings("captain-sonar"), clocks=CLOCKS), 1),
    "the computer's help": (settings("captain-sonar-2", radio_help="computer"), 2),
    "spectators who see everything later": (
        replace(settings("captain-sonar"), watching="everything", watch_delay=3600),
        1,
    ),
}
"""Settings, and how many play in a crew."""


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ours", list(Crew))
def test_a_crew_receives_the_same_bytes_whatever_the_enemy_hides(
    tmp_path: Path, name: str, ours: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, size = TABLES[name]
    # No time passes on the clocks, so that they show the same in both games.
    monkeypatch.setattr(Duel, "elapsed", lambda _: 0)

    async def story() -> None:
        async with serving(tmp_path) as server:
            setup = await setup_of(server, given, size)
            pairs, games = sound_alike(setup, ours, Random(f"{name}/{ours}"), LENGTH)
            assert len(pairs) >= LENGTH // 2
            if games.one.public.result is not None:
                # After the end there are no secrets any more.
                pairs.pop()
            assert {"helm", "radio"} <= games.differing
            one = await perform(Stage(server, given, size), pairs, ours, hidden=False)
            other = await perform(Stage(server, given, size), pairs, ours, hidden=True)
            assert differing(one, other) == []
            assert sum(map(len, one.values())) > LENGTH
            told = "".join(text for stream in one.values() for text in stream)
            assert ('"clock":{"running"' in told) == (name == "clocks")
            assert (HEAT in told) == (name == "the computer's help")
            late = [text for text in one["Watcher"] if '"boats":' in text]
            assert len(late) == (name == "spectators who see everything later")

    run(story())


def differing(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[tuple[str, ...]]:
    """For each who received anything else in the other game, the first that was different."""
    found: list[tuple[str, ...]] = []
    for name, stream in one.items():
        pairs = enumerate(zip_longest(stream, other[name], fillvalue="nothing"))
        unlike = ((name, str(n), a, b) for n, (a, b) in pairs if a != b)
        found += list(islice(unlike, 1))
    return found


async def perform(
    stage: Stage, pairs: list[Pair], ours: Crew, *, hidden: bool
) -> dict[str, list[str]]:
    """Play the orders of one of the games; in the other the enemy also scribbles now and then."""
    await stage.open()
    dice = Random(8)
    for pair in pairs:
        await stage.give(pair.seat, pair.other if hidden else pair.order)
        await stage.settle(stage.everyone())
        if hidden and dice.random() < 0.5:
            await scribble(stage, ours.other)
    return stage.received(ours)


async def scribble(stage: Stage, enemy: Crew) -> None:
    """The enemy's radio operator puts a mark on the sheet, if that is allowed now."""
    for number in range(stage.size):
        client = stage.player(Seat(enemy, number))
        if client.games[stage.game].offer.writing:
            await stage.give(Seat(enemy, number), give.PutMark(10, 10, "ring"))
