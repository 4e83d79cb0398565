"""The list of accepted changes, made in a real browser and taken by a later run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.migrator.runs import Run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

Migrate = Callable[..., Run]
EXAMPLES = Path(__file__).parents[3] / "legacy_examples"


def test_accepted_changes_are_taken_by_a_later_run(
    migrate: Migrate, browser: Browser, tmp_path: Path
) -> None:
    root = tmp_path / "jobs"
    shutil.copytree(EXAMPLES, root, ignore=shutil.ignore_patterns("__pycache__"))
    report, accepted = tmp_path / "report.html", tmp_path / "accepted.json"
    migrate(root, "--check", "--report", report)
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(report.as_uri())
    boxes = page.locator("input.accept")
    count = boxes.count()
    assert page.locator("#accepted").inner_text() == f"{count} of {count} changes accepted"

    page.click("#accept-none")
    page.check("input.accept[data-path='queue_stream.py']")
    assert page.locator("#accepted").inner_text() == f"1 of {count} changes accepted"
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(accepted)
    page.close()

    before = {path.name for path in root.iterdir() if path.is_file()}
    run = migrate(root, "--in-place", "--accept", accepted)

    assert complaints == []
    assert run.err == ""
    changed = {
        name for name in before if (root / name).read_bytes() != (EXAMPLES / name).read_bytes()
    }
    assert changed == {"queue_stream.py"}


def test_a_report_of_what_is_written_in_place_offers_nothing(
    migrate: Migrate, tree: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    migrate(tree, "--check", "--report", report)
    assert 'id="save"' in report.read_text()

    migrate(tree, "--in-place", "--report", report)

    assert 'id="save"' not in report.read_text()
