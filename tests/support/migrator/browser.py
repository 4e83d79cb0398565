"""Finds a browser for the tests of the HTML report: `python -m tests.support.migrator.browser`."""

from __future__ import annotations

import os
import shutil
import sys

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


if __name__ == "__main__":
    path = find_browser()
    if path is None:
        sys.exit(f"no Chromium or Chrome found; {HOW}")
    print(path)
