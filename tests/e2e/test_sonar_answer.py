"""A captain who is asked by a sonar: nothing is filled in, and help is one key away."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.events import SonarAnswered
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server.wire import Settings
from fathom.words import Crew, Heading, Kind, Mode, System
from tests.e2e.browser import LOCALES, SIZES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.enemy import PATIENCE, Enemy
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.layout import resize, speak
from tests.e2e.table import take_boat
from tests.server.test_playing import to_a_sonar

SETTINGS = Settings(first=Crew.B)


@contextmanager
def asked(page: Page, enemy: Enemy) -> Iterator[None]:
    """The page's captain must answer; until then a second tab has played for them."""
    take_boat(page)
    page.get_by_role("button", name="Ready", exact=True).click()
    enemy.start()
    token = page.evaluate("localStorage['fathom.token']")
    ours = enemy.wait(Client(enemy.url, token).__aenter__())
    try:
        enemy.wait(ours.open(enemy.table))
        enemy.wait(ours.until(lambda: enemy.game in ours.games, PATIENCE))
        enemy.wait(to_a_sonar(enemy.client, ours, enemy.game))
        page.locator(".answer").wait_for()
        yield
    finally:
        enemy.wait(ours.close())


def answer_heard(enemy: Enemy) -> SonarAnswered:
    """What the enemy was told."""

    def told() -> list[SonarAnswered]:
        return [news for news in enemy.seen.heard if isinstance(news, SonarAnswered)]

    enemy.wait(enemy.client.until(lambda: bool(told()), PATIENCE))
    return told()[-1]


def facts(answer: SonarAnswered) -> set[str]:
    named = {"column": answer.column, "row": answer.row, "sector": answer.sector}
    return {f"{name} {value}" for name, value in named.items() if value is not None}


def test_nothing_is_told_that_nobody_chose(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    with Enemy(server.at, SETTINGS) as enemy:
        page = visitor(f"/t/{enemy.table}")
        with asked(page, enemy):
            panel = page.locator(".answer")
            key = panel.locator(".key.big")
            shoot(page, "empty")
            assert panel.locator("[aria-pressed=true]").count() == 0
            assert key.inner_text() == "Choose one true, one false"
            key.click(force=True)
            panel.get_by_label("Row").get_by_role("button", name="True").click()
            panel.get_by_label("Sector").get_by_role("button", name="False").click()
            # A lie is not chosen by itself either.
            assert panel.locator(".key.lit").count() == 0
            panel.get_by_label("Sector").get_by_role("button", name="Higher").click()
            panel.locator(".key.lit").wait_for()
            shoot(page, "chosen")
            said = key.inner_text()
            key.click()
            until(page, "() => document.querySelector('.answer') === null")
        told = answer_heard(enemy)
        assert (told.column, told.sector) in ((None, 1), (None, 2))
        assert said == f"Answer “row {told.row}, sector {told.sector}”"


def test_the_server_fills_in_what_tells_least_and_the_captain_confirms_it(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    with Enemy(server.at, SETTINGS) as enemy:
        page = visitor(f"/t/{enemy.table}")
        with asked(page, enemy):
            panel = page.locator(".answer")
            panel.get_by_role("button", name="Answer for me").click()
            panel.locator(".key.lit").wait_for()
            panel.get_by_text("This tells them least.").wait_for()
            shoot(page, "advised")
            assert panel.locator("[aria-pressed=true]").count() == 2
            said = panel.locator(".key.lit").inner_text()
            # Nobody has been told anything yet.
            assert not [n for n in enemy.seen.heard if isinstance(n, SonarAnswered)]
            panel.locator(".key.lit").click()
            until(page, "() => document.querySelector('.answer') === null")
        found = re.fullmatch(r"Answer “(.+)”", said)
        assert found is not None
        assert set(found[1].split(", ")) == facts(answer_heard(enemy))


PAGES = ((1366, 640), (1440, 780), (820, 1180), (390, 664), (360, 640), (844, 390), (640, 360))
OUT_OF_REACH = """
() =>
  [...document.querySelectorAll(".answer button")]
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([one, { x, y, right, bottom, width, height }]) => {
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return !one.contains(hit) || right > innerWidth || bottom > innerHeight || height < 43.5;
    })
    .map(([one]) => one.textContent)
"""


def test_every_key_of_the_answer_is_within_reach_on_every_page(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    with Enemy(server.at, SETTINGS) as enemy:
        page = visitor(f"/t/{enemy.table}")
        with asked(page, enemy):
            for width, height in PAGES:
                page.set_viewport_size({"width": width, "height": height})
                page.locator(".answer").wait_for()
                if not page.locator(".answer .key.lit").count():
                    page.get_by_role("button", name="Answer for me").click()
                page.locator(".answer .key.lit").wait_for()
                shoot(page, f"{width}x{height}")
                assert page.evaluate(OUT_OF_REACH) == [], (width, height)


REAL_TIME = Settings(
    house=House(radio_help="computer", lift_crew_rules=True), mode=Mode.REAL_TIME, scenario="alpha"
)
UNSEEN = """
() => {
  const stop = document.querySelector(".stop");
  const parts = [...stop.querySelectorAll(".by, h1, .cap, .where, .sea .chart")];
  const cut = parts.filter((one) => {
    const { top, bottom, left, right, height } = one.getBoundingClientRect();
    return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth || height < 14;
  });
  const scrolls = stop.scrollHeight > stop.clientHeight + 1;
  return [...cut.map((one) => one.className), ...(scrolls ? ["the stop scrolls"] : [])]
    .concat(parts.length === 5 ? [] : ["something is missing"]);
}
"""


def to_a_stop(page: Page, enemy: Enemy) -> None:
    """Both dive, and the enemy asks with its sonar."""
    take_boat(page)
    page.get_by_role("button", name="Ready", exact=True).click()
    enemy.start()
    enemy.give(give.Place(parse("B2")))
    page.locator('.cell[data-point="O15"]').click()
    page.get_by_role("button", name="Start on").click()
    page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
    enemy.give(give.DIVE)
    enemy.until_offered(give.SetCourse)
    for heading in (Heading.S, Heading.S, Heading.N, Heading.N):
        if enemy.offered(give.UseSonar):
            break
        courses = [order.heading for order in enemy.offered(give.SetCourse)]
        enemy.give(give.SetCourse(heading if heading in courses else courses[0]))
        enemy.give(give.Charge(System.SONAR))
        symbols = enemy.offered(give.CrossOut)
        enemy.give(next(one for one in symbols if enemy.kind_of(one.symbol) is not Kind.GREEN))
        enemy.until_offered(give.SetCourse)
    enemy.give(give.USE_SONAR)
    page.locator(".stop .answer").wait_for()


def test_a_stop_shows_the_answers_form_and_the_boats_place_on_every_page(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    with Enemy(server.at, REAL_TIME) as enemy:
        page = visitor(f"/t/{enemy.table}")
        to_a_stop(page, enemy)
        assert page.locator(".stop .cap").inner_text() == "Sonar. Two facts, please"
        assert page.locator(".stop .res").count() == 0
        found = []
        for language in LOCALES:
            speak(page, language)
            page.locator(".stop .advise").click()
            page.locator(".stop .answer .key.lit").wait_for()
            for size in SIZES:
                resize(page, size)
                wrong = page.evaluate(OUT_OF_REACH) + page.evaluate(UNSEEN)
                found += [f"{language}, {size}: {one}" for one in wrong]
                if wrong or language == "en":
                    shoot(page, f"{language}-{size}")
        assert not found, "\n".join(found)
