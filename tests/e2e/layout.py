"""What is wrong with a page's layout: covered, cut off, too small, or out of sight."""

from typing import Final

from playwright.sync_api import Page

from tests.e2e.browser import SIZES

FAULTS: Final = """
() => {
  const found = [];
  const { documentElement: html } = document;
  const name = (one) =>
    `${one.localName}.${[...one.classList].filter((c) => !c.startsWith("svelte")).join(".")}` +
    ` "${(one.ariaLabel ?? one.textContent).trim().slice(0, 30)}"`;
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.closest(".vh");
  const all = (css, within = document) => [...within.querySelectorAll(css)].filter(shown);
  /* Nine points of a thing: its middle, and near its edges. */
  const POINTS = [0.12, 0.5, 0.88].flatMap((x) => [0.12, 0.5, 0.88].map((y) => [x, y]));
  /* A symbol's badge may stick out of what can be pressed. */
  const boxOf = (one) => (one.querySelector(":scope > .hit") ?? one).getBoundingClientRect();
  const covered = (one, points = POINTS) => {
    const box = boxOf(one);
    for (const [x, y] of points) {
      const hit = document.elementFromPoint(box.x + box.width * x, box.y + box.height * y);
      if (!hit || !(one.contains(hit) || hit.closest("button, a, [role=button]") === one))
        return hit ? name(hit) : "nothing";
    }
    return null;
  };
  const inside = (box) =>
    box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
  const cut = (one) =>
    one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;

  if (html.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  if (html.scrollHeight > innerHeight + 1) found.push("the page scrolls");

  const keys = all("button, a[href], [role=button]").filter(
    /* What a symbol asks lies over the words below it. */
    (one) => !one.matches(".symbol:not(.free), .asked") && !one.closest("[aria-hidden=true]"),
  );
  for (const key of keys) {
    const box = boxOf(key);
    if (!inside(box)) found.push(`${name(key)} is beyond the edge`);
    else if (covered(key)) found.push(`${name(key)} is covered by ${covered(key)}`);
    if (Math.min(box.width, box.height) < 43.5)
      found.push(`${name(key)} is ${box.width.toFixed()} x ${box.height.toFixed()}`);
    if (key.matches("button") && cut(key)) found.push(`the words of ${name(key)} are cut off`);
    const plate = key.closest(".plate")?.getBoundingClientRect();
    /* Some panels have no box of their own. */
    if (plate?.width && (box.left < plate.left - 1 || box.right > plate.right + 1))
      found.push(`${name(key)} sticks out of its panel`);
  }
  for (const cell of all("main .cell.pickable"))
    if (covered(cell, [[0.5, 0.5]])) found.push(`${name(cell)} is covered`);
  for (const part of all(".order, .tabs, .order h1, .aim .facts li, .marks h2")) {
    const box = part.getBoundingClientRect();
    if (!inside(box)) found.push(`${name(part)} is beyond the edge`);
    else if (covered(part)) found.push(`${name(part)} is covered by ${covered(part)}`);
  }
  for (const line of all(".order h1, .order .caption"))
    if (cut(line)) found.push(`"${line.textContent}" is cut off`);
  const bottom = (one) => one.getBoundingClientRect().bottom;
  for (const label of all(".bar .lbl"))
    if (bottom(label) > bottom(label.closest(".bar")) - 2)
      found.push(`${name(label)} lies on the bar's edge`);
  for (const part of all(".order > *")) {
    const [own, order] = [part, part.closest(".order")].map((one) => one.getBoundingClientRect());
    if (own.top < order.top - 1 || own.bottom > order.bottom + 1)
      found.push(`${name(part)} sticks out of the order line`);
  }
  return found;
}
"""
"""Each thing on a station that somebody could not see, read or press, in words."""

CHART: Final = """
() => {
  const chart = document.querySelector("main .chart");
  if (!chart) return null;
  const { width, height } = chart.getBoundingClientRect();
  return Math.min(width, height) / Math.min(innerWidth, innerHeight);
}
"""
"""The chart's side, as a part of the page's shorter side."""

DRAWN: Final = """
() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
"""

LEAST_CHART: Final = 0.55
SIDEWAYS_CHART: Final = 0.85
"""On a phone held sideways the chart has the page's whole height."""


def resize(page: Page, size: str) -> None:
    """Another page size, laid out."""
    page.set_viewport_size(SIZES[size])
    page.evaluate(DRAWN)


def speak(page: Page, language: str) -> None:
    """The same page in another language."""
    page.evaluate("(language) => (localStorage['fathom.language'] = language)", language)
    page.reload()
    page.locator(f"html[lang={language}] .room.station main").wait_for()


def faults(page: Page, least_chart: float = LEAST_CHART) -> list[str]:
    """What is wrong with the page as it is shown now."""
    found: list[str] = page.evaluate(FAULTS)
    side: float | None = page.evaluate(CHART)
    viewport = page.viewport_size
    assert viewport is not None
    least = SIDEWAYS_CHART if viewport["height"] <= 480 else least_chart
    if side is not None and side < least:
        found.append(f"the chart's side is {side:.0%} of the page's shorter side")
    return found
