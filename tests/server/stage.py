"""A table with two whole crews and everyone else who is curious, and all that each of them gets."""

import re
from functools import partial
from typing import Final

import aiohttp

from fathom.bots.phrases import PleaseCharge, WhichWay
from fathom.client import Client, Seen
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.server import wire
from fathom.server.api import ROUTES
from fathom.server.wire import Settings
from fathom.words import HEADINGS, Crew, Seat, System
from tests.engine.every_order import every_order
from tests.server.serving import Server, begun, holds, posts_of

HEAT, PONG = '{"type":"heat"', '{"type":"pong"'
OTHER_PATHS: Final = (
    "/",
    "/api/openapi.json",
    "/api/games/{game}/steps",
    "/api/games/no-such-game",
    "/api/tables/{table}/chat",
    "/socket",
)
"""What is not in the list of routes, but may be asked for."""
SOME: Final = 97
"""Every 97th order that there is, is tried by somebody who is not offered it."""
UNOFFERED: Final = (give.Resign, give.JudgeTrace, give.Rub)
"""What is always allowed, or never listed."""


class Stage:
    """A game with everything that everybody received, from sockets and by HTTP."""

    def __init__(self, server: Server, given: Settings, size: int) -> None:
        self.server, self.settings, self.size = server, given, size
        self.streams: dict[str, list[str]] = {}
        self.plots: dict[str, str] = {}
        """The last heat map that each has received."""
        self.plotted: dict[str, int] = {}
        """The position after which it was made."""
        self.looks = 0

    async def open(self) -> None:
        self.players = [await self.listener(f"Player {n}") for n in range(2 * self.size)]
        self.watcher = await self.listener("Watcher")
        self.follower = await self.listener("Follower")
        await self.follower.do(wire.FollowLobby())
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
        await self.settle()
        await self.forget_lobby()

    async def forget_lobby(self) -> None:
        """Changes of the lobby are gathered, so how often it was shown is a matter of chance.

        While the game goes on nothing in it changes, and nothing may be sent.
        """
        shown = self.streams["Follower"]
        await holds(lambda: shown and '"phase":"playing"' in shown[-1])
        await holds(lambda: self.server.harbour.lobby_task is None)
        await self.settle_follower()
        shown.clear()

    async def settle_follower(self) -> None:
        """Who looks at the lobby has received all that was on its way; it is no table of theirs."""
        await self.follower.do(wire.CloseTable(table=self.code))

    async def listener(self, name: str) -> Client:
        client = await self.server.player(name)
        self.listen(name, client)
        return client

    def listen(self, name: str, client: Client) -> None:
        """Note from now on what somebody gets."""
        client.prefix = "same"
        self.streams[name] = []
        client.raw.append(partial(self.receive, name))
        client.listeners.append(partial(self.see_heat, name))

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

    def crew(self, crew: Crew) -> list[Client]:
        return [self.player(Seat(crew, number)) for number in range(self.size)]

    async def settle(self) -> None:
        """Each has received all that was on its way; twice, because a stop's end comes later."""
        for _ in range(2):
            for client in self.everyone():
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

    # What both games share

    async def talk(self, number: int) -> None:
        """Both crews speak aloud now and then, and each to itself; that is the same in both."""
        for side in Crew:
            speaker = self.crew(side)[number % self.size]
            channel: wire.Channel = "crew" if number % 3 else "table"
            text = f"{side} says {number}"
            await speaker.do(wire.SayWords(table=self.code, channel=channel, text=text))
            phrase = PleaseCharge(System.SILENCE)
            await speaker.do(wire.SayPhrase(table=self.code, phrase=phrase))

    async def look(self, ours: Crew) -> None:
        """Whatever a curious crew and a stranger can ask for, as long as the game goes on."""
        self.looks += 1
        await self.try_orders(ours)
        await self.ask_for_everything(self.crew(ours)[0])
        connected = len(self.server.harbour.connections)
        tokens = {f"Tab {self.looks}": self.crew(ours)[0].token}
        tokens[f"Later watcher {self.looks}"] = self.watcher.token
        for name, token in tokens.items():
            tab = Client(self.server.url, token, resumes=False)
            self.listen(name, tab)
            async with tab:
                await tab.open(self.code, 0, self.game)
                await tab.do(wire.FollowLobby())
                await tab.do(wire.FollowLobby(on=False))
            if name in self.plots:
                self.streams[name].append(self.plots[name])
            await holds(lambda: len(self.server.harbour.connections) == connected)

    async def try_orders(self, ours: Crew) -> None:
        """Orders that are refused; the rule that is named may tell nothing either."""
        for client in self.crew(ours):
            seen = client.games[self.game]
            offered = set(map(str, seen.offer.orders))
            for order in every_order(seen.opened.setup)[self.looks :: SOME]:
                if str(order) not in offered and not isinstance(order, UNOFFERED):
                    answer = await client.order(self.game, order)
                    assert not isinstance(answer, wire.Done), order

    async def ask_for_everything(self, ours: Client) -> None:
        """Every answer that HTTP gives, to nobody in particular and to one of us."""
        paths = [route.path for route in ROUTES if route.method == "GET"]
        got = self.streams.setdefault("HTTP", [])
        host = {"Host": "sonar.example"}
        for headers in (host, {**host, "Authorization": f"Bearer {ours.token}"}):
            async with aiohttp.ClientSession(self.server.url, headers=headers) as session:
                for path in (*paths, *OTHER_PATHS):
                    filled = path.format(table=self.code, game=self.game)
                    async with session.get(filled) as answer:
                        told = {k: v for k, v in answer.headers.items() if k != "Date"}
                        body = (await answer.read()).decode(errors="backslashreplace")
                        got.append(f"{filled} {answer.status} {sorted(told.items())} {body}")

    # What the enemy does in one of the games only

    async def hide(self, enemy: Crew, number: int) -> None:
        """The enemy draws, talks among themselves and tries what is not allowed."""
        for client in self.crew(enemy):
            if client.games[self.game].offer.writing:
                mark = give.PutMark(10, number % 90, "ring")
                assert isinstance(await client.order(self.game, mark), wire.Done)
            line = f"secret plan {number}"
            await client.do(wire.SayWords(table=self.code, channel="crew", text=line))
            await client.do(wire.SayPhrase(table=self.code, phrase=WhichWay()))
            tried = give.SetCourse(HEADINGS[number % 4])
            if tried not in client.games[self.game].offer.orders:
                assert not isinstance(await client.order(self.game, tried), wire.Done)

    # What they all received

    def received(self, ours: Crew) -> dict[str, list[str]]:
        """What everyone but the enemy received; names that chance gave are made alike."""
        first = 0 if ours is Crew.A else self.size
        enemies = {f"Player {(first + self.size) % (2 * self.size) + n}" for n in range(self.size)}
        return {
            name: [self.alike(text) for text in stream]
            for name, stream in self.streams.items()
            if name not in enemies
        }

    def alike(self, text: str) -> str:
        """The same length, with what docs/security.md calls drawn by lot or timed struck out."""
        for client in (*self.everyone(), self.follower):
            assert client.welcome is not None
            text = text.replace(client.welcome.you, "?" * len(client.welcome.you))
        text = text.replace(self.game, "?" * len(self.game))
        text = re.sub(r'("(?:device|tokens":\[{"id)":")[\w-]{16}"', r"\1" + "?" * 16 + '"', text)
        return re.sub(r'("(?:now|at|since|began|created|used)":)\d{13}', r"\1" + "?" * 13, text)
