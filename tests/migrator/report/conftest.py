"""Fixtures of the tests of reports."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.migrator.browser import HOW, find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser without a window. Without one the tests are skipped, but never in CI."""
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        reason = f"no Chromium or Chrome found; {HOW}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        # root, as in containers, has no sandbox; the page is our own
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield started
        finally:
            started.close()
