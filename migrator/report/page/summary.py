"""The head of the HTML report: the jobs, the totals, the shares, the rules."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from migrator.model.report import Report
from migrator.model.verification import Verified
from migrator.report.jobs import Job, JobState, headline, jobs, other_files, outcome
from migrator.report.page.elements import el
from migrator.report.page.picture import SIGNS
from migrator.report.projects import COLUMNS, MANY, as_numbers, rows
from migrator.report.wording import MIGRATION, closing_lines, no_code_message, shown_root, totals


def header(report: Report) -> Element:
    """Return title, path, and the result in words."""
    first, before = no_code_message(report), []
    if report.files:
        first = headline(report, jobs(report), other_files(report))
        before = closing_lines(report)
    return el(
        "header",
        {},
        el("h1", {}, "DStream migration"),
        el("p", {"class": "path"}, el("code", {}, shown_root(report))),
        el("p", {"class": "result"}, first),
        *(el("p", {}, line) for line in before),
    )


def job_table(report: Report, numbers: Mapping[str, int]) -> Element:
    """Return the jobs that run in one row, and one for each that
    needs something; with many jobs a table by project first.

    Parameters
    ----------
    numbers : mapping of str to int
        The numbers of the files in the page by their paths.
    """
    job_list = jobs(report)
    running = [job for job in job_list if job.state is JobState.RUNS]
    others = other_files(report)
    lines = []
    if running:
        names: list[Element | str] = []
        for job in running:
            names += [_link_to_job(job, numbers), ", "]
        shown: list[Element | str] = names[:-1]
        if len(running) >= MANY and not as_numbers(job_list, others):
            title = el("summary", {}, f"{len(running)} jobs")
            shown = [el("details", {}, title, *names[:-1])]
        cells = (el("td", {}, "runs"), el("td", {"colspan": 2}, *shown))
        lines.append(el("tr", {"class": "runs"}, *cells))
    lines += [_job(job, job.state.value, numbers) for job in job_list if job not in running]
    lines += [_job(job, "project", numbers) for job in others]
    lines += [
        _verification_row(job, job.verified, numbers)
        for job in job_list
        if job.verified is not None
    ]
    if not lines:
        return el("section", {"id": "jobs"})
    parts = [el("table", {"class": "jobs"}, el("tbody", {}, *lines))]
    if as_numbers(job_list, others):
        title = el("summary", {}, f"{len(job_list)} jobs by name")
        parts = [_project_table(job_list, others), el("details", {}, title, *parts)]
    return el("section", {"id": "jobs"}, el("h2", {}, "Jobs"), *parts)


def _project_table(job_list: list[Job], others: list[Job]) -> Element:
    head = el("tr", {}, *(el("th", {}, name) for name in ("project", *COLUMNS)))
    body = [
        el("tr", {}, el("td", {}, el("code", {}, row.name)), *(el("td", {}, c) for c in row.cells))
        for row in rows(job_list, others)
    ]
    return el("table", {"class": "projects"}, el("thead", {}, head), el("tbody", {}, *body))


def _job(job: Job, label: str, numbers: Mapping[str, int]) -> Element:
    return el(
        "tr",
        {"class": job.state.value},
        el("td", {}, label),
        el("td", {}, _link_to_job(job, numbers)),
        el("td", {}, job.needs()),
    )


def _verification_row(job: Job, verified: Verified, numbers: Mapping[str, int]) -> Element:
    word, figures = outcome(verified)
    state = JobState.RUNS if verified.equal else JobState.CANNOT
    cells = (el("td", {}, word), el("td", {}, _link_to_job(job, numbers)), el("td", {}, figures))
    return el("tr", {"class": state.value}, *cells)


def _link_to_job(job: Job, numbers: Mapping[str, int]) -> Element:
    name = el("code", {}, job.path)
    number = numbers.get(job.path)
    return name if number is None else el("a", {"href": f"#file-{number}"}, name)


def summary(report: Report) -> Element:
    """Return shares of the uses as a bar, the totals, and the table of rules."""
    rows = [
        el("tr", {}, el("th", {"scope": "row"}, name), el("td", {}, text))
        for name, text in totals(report)
    ]
    return el(
        "section",
        {"id": "summary"},
        el("h2", {}, "Summary"),
        _bar(report),
        el(
            "div",
            {"class": "columns"},
            el("div", {}, el("table", {"class": "totals"}, el("tbody", {}, *rows))),
            _rules(report),
        ),
    )


def _number(text: str) -> Element:
    return el("td", {"class": "number"}, text)


def _bar(report: Report) -> Element | None:
    parts, keys = [], []
    start = 0.0
    counts = report.by_migration()
    for way, count in counts.items() if report.sites() else ():
        percent = 100 * count / len(report.sites())
        where = {"x": f"{start:.3f}%", "width": f"{percent:.3f}%", "y": "0", "height": "18"}
        title = el("title", {}, f"{MIGRATION[way]}: {count}")
        parts.append(el("rect", {"class": f"bar {way}", **where}, title))
        start += percent
        sign = el("span", {"class": f"key {way}"}, SIGNS[way])
        keys.append(el("li", {}, sign, f" {MIGRATION[way]}: {count}"))
    if not parts:
        return None
    label = "what becomes of the uses of the DStream API"
    bar = el("svg", {"class": "shares", "height": 18, "role": "img", "aria-label": label}, *parts)
    return el("div", {}, bar, el("ul", {"class": "keys"}, *keys))


def _rules(report: Report) -> Element | None:
    counts = report.by_rule()
    if not counts:
        return None
    rows = []
    for (code, name), numbers in counts.items():
        button = el("button", {"type": "button", "class": "rule", "data-code": code}, code)
        cells = [_number(str(n or "")) for n in numbers]
        rows.append(el("tr", {}, el("td", {}, button), el("td", {}, name), *cells))
    titles = ("rule", "", "fixed", "to do", "bugs", "notes", "minutes")
    head = el("tr", {}, *(el("th", {"scope": "col"}, title) for title in titles))
    table = el("table", {"class": "rules"}, el("thead", {}, head), el("tbody", {}, *rows))
    return el("div", {}, table)
