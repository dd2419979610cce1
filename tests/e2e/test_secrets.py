"""What a page receives tells nothing of the enemy's secrets, in whatever way.

Two games that sound alike are played in a real browser against an enemy whose secrets differ:
start, route, mine, gauges, breakdowns, the end of a silence, drawings and what they say among
themselves. Everything that came to the page and to a spectator's, over sockets and by HTTP, has to
be the same in both; and once the game is over, it no longer is.
"""

import json
import re
from typing import Any, Final

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Response, WebSocket

from fathom.bots.phrases import PleaseCharge
from fathom.engine import orders as give
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server import wire
from fathom.server.wire import Settings
from fathom.words import Crew, Heading, System
from tests.e2e.browser import visit
from tests.e2e.enemy import Enemy
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.open_sea import OPEN_SEA, our_turn

SETTINGS: Final = Settings(
    chart_text=OPEN_SEA,
    first=Crew.A,
    house=House(radio_help="tape", leaving="wait"),
)
OUR_COURSES: Final = "WNWNWNWN"
THEIR_COURSES: Final = "EESESENN"
CHARGED: Final = (System.MINE,) * 2 + (System.SILENCE,) * 5
LAID_AFTER, SILENT_AFTER = 2, 7
"""After which of the enemy's courses a mine is laid, and a silence run."""


OWN: Final = re.compile(r"/api/identity|\.svg|/qr")


class Secrets(msgspec.Struct, frozen=True):
    """What the enemy does that must not be heard."""

    start: str
    mine: str
    symbol: int
    """The first or the last of the symbols to choose from."""
    silence: int
    """How many points to the east."""
    last_charge: System
    talks: bool
    """Whether they draw and talk while they wait."""


ONE: Final = Secrets("A3", "C2", 0, 1, System.TORPEDO, talks=False)
OTHER: Final = Secrets("A6", "C5", -1, 3, System.SONAR, talks=True)
QUIET: Final = frozenset({"pong", "welcome"})
"""What is not compared: it tells who one is and what time it is."""


class Received:
    """Everything that came to a page."""

    def __init__(self, page: Page) -> None:
        self.frames: list[str] = []
        self.responses: list[Response] = []
        page.on("websocket", self.listen)
        page.on("response", self.fetched)

    def listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def fetched(self, response: Response) -> None:
        self.responses.append(response)

    def bodies(self, enemy: Enemy) -> list[str]:
        """What the server answered by HTTP, but for who one is and the picture of the link."""
        chosen = [r for r in self.responses if "/api/" in r.url and not OWN.search(r.url)]
        return sorted(alike(r.text(), (enemy.game, enemy.table)) for r in chosen)

    @property
    def you(self) -> str:
        """Who the page is."""
        (welcome,) = (one for one in map(json.loads, self.frames) if one["type"] == "welcome")
        return str(welcome["you"])

    def since_start(self, enemy: Enemy, *others: str) -> list[str]:
        """The frames from the game's beginning on, without pongs; chance's names are alike."""
        assert enemy.client.welcome is not None
        by_chance = (enemy.game, enemy.table, self.you, enemy.client.welcome.you, *others)
        kinds = [json.loads(frame)["type"] for frame in self.frames]
        heard = [frame for frame, kind in zip(self.frames, kinds, strict=True) if kind not in QUIET]
        first = next(i for i, frame in enumerate(heard) if '"type":"game"' in frame)
        return [alike(frame, by_chance) for frame in heard[first:]]


def alike(frame: str, by_chance: tuple[str, ...]) -> str:
    for name in by_chance:
        frame = frame.replace(name, "?")
    frame = re.sub(r'"id":"[\w-]+"', '"id":"?"', frame)
    return re.sub(r'("(?:now|at)":)\d{13}', r"\1?", frame)


class BrowserGame:
    """One game: the page as crew a, the enemy as crew b."""

    def __init__(self, browser: Browser, server: RestartableServer, secrets: Secrets) -> None:
        self.browser, self.server, self.secrets = browser, server, secrets

    def play(self) -> None:
        context = visit(self.browser)
        context.add_init_script("localStorage['fathom.name'] = 'Ann'")
        page = context.new_page()
        received = Received(page)
        stranger = visit(self.browser).new_page()
        watched = Received(stranger)
        with Enemy(self.server.at, SETTINGS) as enemy:
            self.begin(page, enemy)
            stranger.goto(f"{self.server.at}/t/{enemy.table}")
            stranger.locator(".room.looking .tape").wait_for()
            for number, heading in enumerate(OUR_COURSES):
                our_turn(page, heading)
                if self.secrets.talks:
                    talk(enemy, number)
                self.their_turn(enemy, number)
                until(page, "() => document.querySelector('.helm .lit') !== null")
            # What comes after everything else, on the same socket.
            last = wire.SayWords(table=enemy.table, channel="table", text="That was all.")
            enemy.wait(enemy.client.do(last))
            while not any("That was all." in frame for frame in watched.frames):
                stranger.wait_for_timeout(20)
            self.watched = watched.since_start(enemy, received.you)
            self.seen_by_stranger = watched.bodies(enemy)
            stranger.context.close()
            self.sheets: dict[str, Any] = msgspec.to_builtins(enemy.seen.sheets, enc_hook=str)
            self.frames = received.since_start(enemy)
            self.bodies = received.bodies(enemy)
            enemy.give(give.RESIGN)
            page.locator("main.finale .numbers dt").nth(2).wait_for()
            self.all_frames = received.since_start(enemy)
            self.all_bodies = received.bodies(enemy)
        context.close()

    def begin(self, page: Page, enemy: Enemy) -> None:
        page.goto(f"{self.server.at}/t/{enemy.table}")
        page.locator(".boat").first.get_by_role("button", name="Take the whole boat").click()
        page.get_by_role("button", name="Ready", exact=True).click()
        enemy.start()
        enemy.give(give.Place(parse(self.secrets.start)))
        page.locator('.cell[data-point="J10"]').click()
        page.get_by_role("button", name="Start on").click()
        page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
        # Both games dive in the same order.
        until(page, "() => document.querySelector('.steer .lit') === null")
        enemy.give(give.DIVE)

    def their_turn(self, enemy: Enemy, number: int) -> None:
        heading = Heading(THEIR_COURSES[number])
        charged = CHARGED[number] if number < len(CHARGED) else self.secrets.last_charge
        enemy.sail(heading, charged, self.secrets.symbol)
        if number + 1 == LAID_AFTER:
            enemy.give(give.LayMine(parse(self.secrets.mine)))
        if number + 1 == SILENT_AFTER:
            enemy.give(give.RunSilent(self.secrets.silence, Heading.E))
            enemy.mark(self.secrets.last_charge, self.secrets.symbol)
        # A system may have been the turn's last word already.
        if enemy.offered(give.EndTurn):
            enemy.give(give.END_TURN)


def talk(enemy: Enemy, number: int) -> None:
    """The enemy draws; now and then, because chat is limited, it writes to itself, too."""
    code = enemy.table
    enemy.give(give.PutMark(10, 10 * number, "ring"))
    if number % 4:
        return
    words = wire.SayWords(table=code, channel="crew", text=f"we are on {number}")
    enemy.wait(enemy.client.do(words))
    phrase = PleaseCharge(System.MINE)
    enemy.wait(enemy.client.do(wire.SayPhrase(table=code, phrase=phrase)))


@pytest.fixture(scope="module")
def stories(browser: Browser, server: RestartableServer) -> tuple[BrowserGame, BrowserGame]:
    found = BrowserGame(browser, server, ONE), BrowserGame(browser, server, OTHER)
    for story in found:
        story.play()
    return found


def test_nothing_that_a_page_receives_depends_on_the_enemys_secrets(
    stories: tuple[BrowserGame, BrowserGame],
) -> None:
    one, other = stories
    assert len(one.frames) > 8 * len(OUR_COURSES)
    assert one.frames == other.frames
    assert one.bodies == other.bodies
    assert any('"rulebooks"' in body for body in one.bodies)


def test_nothing_that_a_spectator_receives_depends_on_secrets(
    stories: tuple[BrowserGame, BrowserGame],
) -> None:
    one, other = stories
    assert len(one.watched) > 2 * len(OUR_COURSES)
    assert one.watched == other.watched
    assert one.seen_by_stranger == other.seen_by_stranger


def test_the_secrets_were_different_indeed(stories: tuple[BrowserGame, BrowserGame]) -> None:
    one, other = stories
    helms = one.sheets["helm"], other.sheets["helm"]
    for field in ("at", "route", "mines"):
        assert helms[0][field] != helms[1][field]
    assert one.sheets["gauges"] != other.sheets["gauges"]
    assert one.sheets["engine"] != other.sheets["engine"]


def test_the_end_reveals_them(stories: tuple[BrowserGame, BrowserGame]) -> None:
    """So the comparison would have found them before."""
    one, other = stories
    revealed = [one.all_frames[len(one.frames) :], other.all_frames[len(other.frames) :]]
    fetched = [sorted(set(story.all_bodies) - set(story.bodies)) for story in stories]
    assert revealed[0] != revealed[1] or fetched[0] != fetched[1]
    for story, (frames, bodies) in zip(stories, zip(revealed, fetched, strict=True), strict=True):
        assert any(f'"{story.secrets.start}"' in text for text in (*frames, *bodies))
