"""Chromium as it is installed; never downloaded."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright

SIZES: Final[dict[str, ViewportSize]] = {
    "low-laptop": {"width": 1280, "height": 600},
    "laptop": {"width": 1366, "height": 640},
    "large-laptop": {"width": 1440, "height": 780},
    "desktop": {"width": 1440, "height": 900},
    "monitor": {"width": 1920, "height": 1080},
    "tablet": {"width": 820, "height": 1180},
    "tablet-sideways": {"width": 1180, "height": 820},
    "phone": {"width": 390, "height": 844},
    "phone-with-bars": {"width": 390, "height": 664},
    "small-phone": {"width": 360, "height": 640},
    "phone-sideways": {"width": 844, "height": 390},
    "small-phone-sideways": {"width": 640, "height": 360},
}
"""Sizes of pages, not of screens: what the browser's own bars leave."""
LOCALES: Final = {"en": "en-GB", "uk": "uk-UA", "ru": "ru-RU", "pl": "pl-PL", "it": "it-IT"}
NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS: Final = ("--no-sandbox", "--disable-gpu", "--mute-audio", "--disable-dev-shm-usage")
MISSING: Final = (
    "No Chromium was found, and these tests play in one. Install it "
    "(Debian and Ubuntu: sudo apt install chromium), or say where it is: FATHOM_CHROMIUM=/path. "
    "To leave these tests out, set FATHOM_NO_BROWSER=1."
)


def chromium() -> str | None:
    """Where Chromium is; ``FATHOM_CHROMIUM`` may say so."""
    return os.environ.get("FATHOM_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser without a window."""
    path = chromium()
    assert path is not None, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


def visit(
    browser: Browser,
    size: str = "desktop",
    *,
    language: str = "en-GB",
    theme: str = "night",
    named: bool = True,
) -> BrowserContext:
    """A visitor with a device of their own: nothing is kept from anybody else.

    Unless they are not ``named``, they were asked for their name before.
    """
    touch = size.startswith(("tablet", "phone", "small-phone"))
    context = browser.new_context(
        viewport=SIZES[size],
        locale=language,
        has_touch=touch,
        is_mobile=touch,
        reduced_motion="reduce",
    )
    liked = json.dumps({"theme": theme, "muted": True})
    # Only on the first page of a visit: what is changed there must last.
    context.add_init_script(
        f"if (!localStorage['fathom.liked']) localStorage['fathom.liked'] = '{liked}'"
    )
    if named:
        context.add_init_script("localStorage['fathom.named'] = 'yes'")
    return context
