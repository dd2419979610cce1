"""The replay's charts at every page size: whole, and large enough to be read."""

from typing import Final

from fathom.engine import orders as give
from fathom.points import parse
from fathom.server.wire import Settings
from tests.e2e.browser import SIZES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.enemy import Enemy
from tests.e2e.harbour import RestartableServer
from tests.e2e.layout import resize

CHARTS: Final = """
() =>
  [...document.querySelectorAll(".view")]
    .filter((one) => one.checkVisibility())
    .map((view) => {
      const [chart, box] = [view.querySelector(".chart"), view].map((one) =>
        one.getBoundingClientRect(),
      );
      return {
        side: Math.min(chart.width, chart.height),
        whole:
          chart.bottom <= Math.min(box.bottom, innerHeight) && chart.right <= box.right &&
          box.right <= innerWidth,
      };
    })
"""
KEYS: Final = """
() =>
  [...document.querySelectorAll(".ctl .key")]
    .filter((one) => one.checkVisibility())
    .map((one) => one.getBoundingClientRect())
    .every((box) => box.bottom <= innerHeight && box.right <= innerWidth && box.width >= 43.5)
"""
WAY_OUT: Final = """
() => [...document.querySelectorAll('a[href="/"]')].some((one) => one.checkVisibility())
"""
LEAST: Final = 190


def test_charts_are_whole_at_every_size(
    server: RestartableServer, visitor: OpenPage, shoot: Shoot
) -> None:
    with Enemy(server.at, Settings()) as enemy:
        page = visitor(f"/t/{enemy.table}", "laptop")
        page.locator(".boat").first.get_by_role("button", name="Take the whole boat").click()
        page.get_by_role("button", name="Ready", exact=True).click()
        enemy.start()
        enemy.give(give.Place(parse("J10")))
        enemy.give(give.RESIGN)
        page.locator("main.finale").wait_for()
        page.goto(f"{server.at}/replay/{enemy.game}")
        page.locator(".view .chart").first.wait_for()
        for size in SIZES:
            resize(page, size)
            charts = page.evaluate(CHARTS)
            shoot(page, size)
            assert charts, size
            assert all(one["whole"] for one in charts), (size, charts)
            assert all(one["side"] >= LEAST for one in charts), (size, charts)
            assert page.evaluate(KEYS), size
            assert page.evaluate(WAY_OUT), size
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), size
