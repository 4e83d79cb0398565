"""Finds a browser for tests of pages: `python -m tests.support.migrator.browser`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from tests.support.programs import give_up

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
HOW = "install one with `apt-get install chromium` or `python -m playwright install chromium`"


class NoBrowserError(Exception):
    """No browser can start here; the message says why."""


def find_browser(playwright: Playwright) -> str | None:
    """The path of a Chromium or Chrome, or None; CHROMIUM=/path/to/it chooses one."""
    chosen = os.environ.get("CHROMIUM")
    if chosen:
        return chosen
    for name in NAMES:
        if found := shutil.which(name):
            return found
    own = playwright.chromium.executable_path
    return own if os.path.exists(own) else None


def check_driver() -> None:
    """Check that playwright's driver starts: it brings a Node.js, but not its libraries.

    One that does not start would leave playwright's event loop running in this process.

    Raises
    ------
    NoBrowserError
        with what it says
    """
    command = [sys.executable, "-m", "playwright", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip() or f"exit code {done.returncode}"
        raise NoBrowserError(
            f"playwright's driver does not start: {said}; its Node.js needs "
            "what `apt-get install libatomic1 libstdc++6` installs"
        )


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a real browser without a window.

    Raises
    ------
    NoBrowserError
        if none can start here
    """
    from playwright.sync_api import Error, sync_playwright

    check_driver()
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        path = find_browser(playwright)
        if path is None:
            raise NoBrowserError(f"no Chromium or Chrome found; {HOW}")
        try:
            # root, as in containers, has no sandbox; the pages are our own
            started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error as error:
            raise NoBrowserError(f"{path} does not start: {error}") from error
        stack.callback(started.close)
        yield started


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start a real browser without a window, for tests that need one."""
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(open_browser())
        except NoBrowserError as error:
            give_up(str(error))
        yield browser


if __name__ == "__main__":
    try:
        with open_browser() as browser:
            print(browser.browser_type.name, browser.version)
    except NoBrowserError as error:
        sys.exit(str(error))
