"""Finds a browser for tests of pages: `python -m tests.support.migrator.browser`."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW = "install one with `apt-get install chromium` or `python -m playwright install chromium`"


def find_browser() -> str | None:
    """The path of a Chromium or Chrome, or None; CHROMIUM=/path/to/it chooses one."""
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        return chosen
    for name in NAMES:
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if os.path.exists(own) else None


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start a real browser without a window. Without one tests are skipped, but never in CI."""
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        reason = f"no Chromium or Chrome found; {HOW}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        # root, as in containers, has no sandbox; the pages are our own
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()


if __name__ == "__main__":
    path = find_browser()
    if path is None:
        sys.exit(f"no Chromium or Chrome found; {HOW}")
    print(path)
