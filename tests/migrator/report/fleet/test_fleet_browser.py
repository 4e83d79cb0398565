"""The page of a fleet in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from migrator.report.fleet.html_report import render
from tests.support.migrator.fleets import BROKERS, job, project

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PROJECTS = "table.projects tbody tr"
JOBS = "table.jobs tbody tr"


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    waits = job("waits.py", "needs", sources=("Kafka",), minutes=15, tasks=(BROKERS,))
    ready = [job(f"{n}.py", sources=("files",), compat=True) for n in range(12)]
    kept = job("kept.py", sources=("Kafka",), keeps=("windows",), structured="portable")
    kept = replace(kept, verified="stale")
    fleet = [
        project("clicks", waits, tasks=(BROKERS,), minutes=15, page="pages/clicks.html"),
        project("views", *ready),
        project("totals", kept),
    ]
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "clicks.html").write_text("<h1>clicks</h1>")
    path = tmp_path / "fleet.html"
    path.write_text(render(fleet))
    found = browser.new_page()
    complaints: list[str] = []
    found.on("console", lambda message: complaints.append(message.text))
    found.on("pageerror", lambda error: complaints.append(str(error)))
    found.goto(path.as_uri())
    yield found
    found.close()
    assert complaints == []


def shown(page: Page, rows: str) -> int:
    return page.locator(f"{rows}:visible").count()


def column(page: Page, rows: str, number: int) -> list[str]:
    return page.locator(f"{rows} td:nth-child({number})").all_inner_texts()


def test_projects_are_in_order_and_sorted_by_a_click(page: Page) -> None:
    assert column(page, PROJECTS, 2) == ["views", "totals", "clicks"]

    page.click("table.projects th:has-text('project') button")
    assert column(page, PROJECTS, 2) == ["clicks", "totals", "views"]
    # numbers are sorted as numbers
    page.click("table.projects th:has-text('jobs') button")
    page.click("table.projects th:has-text('jobs') button")
    assert column(page, PROJECTS, 3) == ["12", "1", "1"]


def test_filters(page: Page) -> None:
    assert page.locator("#shown").inner_text() == "14 of 14 jobs"

    page.fill("#query", "brokers")
    assert (shown(page, JOBS), shown(page, PROJECTS)) == (1, 1)
    page.fill("#query", "")
    page.uncheck("#filter input[value=needs]")
    assert (shown(page, JOBS), shown(page, PROJECTS)) == (13, 2)
    page.check("#filter input[value=needs]")
    page.select_option("select[data-filter=source]", "Kafka")
    assert (shown(page, JOBS), shown(page, PROJECTS)) == (2, 2)
    page.select_option("select[data-filter=target]", "portable")
    assert (shown(page, JOBS), shown(page, PROJECTS)) == (1, 1)
    page.select_option("select[data-filter=verdict]", "not verified")
    assert (shown(page, JOBS), shown(page, PROJECTS)) == (0, 0)
    page.select_option("select[data-filter=verdict]", "stale")
    assert (shown(page, JOBS), shown(page, PROJECTS)) == (1, 1)
    page.click("#filter button[type=reset]")
    page.wait_for_function("document.getElementById('shown').textContent === '14 of 14 jobs'")


def test_a_project_filters_its_jobs_and_a_task_those_that_wait(page: Page) -> None:
    page.click("button.only[data-project=views]")
    assert page.locator("#shown").inner_text() == "12 of 14 jobs in views"
    page.click("button.only[data-project=views]")
    page.click("button.rule")
    assert shown(page, JOBS) == 1
    page.click("button.rule")
    assert shown(page, JOBS) == 14


def test_the_page_of_a_project_is_one_click_away(page: Page) -> None:
    page.click("a:has-text('clicks')")

    assert page.locator("h1").inner_text() == "clicks"
