"""Chromium as it is installed; never downloaded."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright

SIZES: Final[dict[str, ViewportSize]] = {
    "desktop": {"width": 1440, "height": 900},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}
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
    browser: Browser, size: str = "desktop", *, language: str = "en-GB", theme: str = "night"
) -> BrowserContext:
    """A visitor with a device of their own: nothing is kept from anybody else."""
    touch = size != "desktop"
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
    return context
