"""One HTML file with everything: it needs no network and runs no script but its own."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from migrator.model.report import Report
from migrator.report.jobs import COLUMNS, MANY, Job, Jobs, JobState, outcome
from migrator.report.page.elements import cells, document, el, facts_table, resource, table
from migrator.report.page.files import accept_bar, are_offered, file_view
from migrator.report.page.picture import SIGNS, ShownFile, picture
from migrator.report.pipeline import pipelines
from migrator.report.wording import MIGRATION, closing_lines, no_code_message, shown_root, totals
from migrator.source.excerpt import source_text

# with more files than that, the page opens with all of them folded
_OPEN_FILES = 25
_LEVELS = ("error", "warning", "info", "fixed", "suppressed")


def render(report: Report) -> str:
    """Return the page."""
    title = f"DStream migration: {shown_root(report)}"
    return document(title, resource("report.css"), resource("report.js"), *_body(report))


def _body(report: Report) -> list[Element]:
    is_open = len(report.files) <= _OPEN_FILES
    sources = {f.path: ShownFile(f, source_text(f.path, f.original)) for f in report.files}
    pictures: dict[str, list[Element]] = {}
    for pipeline in pipelines(report):
        shown = picture(pipeline, sources)
        for path in pipeline.paths:
            pictures.setdefault(path, []).append(shown)
    views = [
        file_view(source, report, n, is_open, pictures.get(path, []))
        for n, (path, source) in enumerate(sources.items(), 1)
    ]
    numbers = {path: n for n, path in enumerate(sources, 1)}
    parts = []
    if views:
        parts = [_job_table(report, numbers), _summary(report), _filters(report)]
        parts += [accept_bar(report)] if are_offered(report) else []
        parts.append(_legend())
    return [_header(report), el("main", {}, *parts, *views)]


def _filters(report: Report) -> Element:
    levels = {f.severity.value for _, f in report.findings() if f.is_open}
    levels |= {"fixed" for _, f in report.findings() if f.is_fixed}
    levels |= {"suppressed" for _, f in report.findings() if f.suppression is not None}
    boxes = [
        el("label", {}, el("input", {"type": "checkbox", "value": v, "checked": ""}), f" {v}")
        for v in _LEVELS
        if v in levels
    ]
    box = {"type": "search", "id": "query", "placeholder": "path, rule or words"}
    return el(
        "form",
        {"id": "filter", "role": "search"},
        el("label", {"for": "query"}, "Filter"),
        el("input", box),
        *boxes,
        el("button", {"type": "button", "id": "open-all"}, "open all"),
        el("button", {"type": "button", "id": "close-all"}, "close all"),
        el("output", {"id": "shown", "for": "query"}),
    )


def _legend() -> Element:
    text = "In pictures, sources are round and outputs have corners; colours and signs are those "
    return el("p", {"class": "legend"}, f"{text}above. A call leads to its finding.")


def _header(report: Report) -> Element:
    """Return title, path, and the result in words."""
    first, before = no_code_message(report), []
    if report.files:
        first = Jobs(report).headline()
        before = closing_lines(report)
    return el(
        "header",
        {},
        el("h1", {}, "DStream migration"),
        el("p", {"class": "path"}, el("code", {}, shown_root(report))),
        el("p", {"class": "result"}, first),
        *(el("p", {}, line) for line in before),
    )


def _job_table(report: Report, numbers: Mapping[str, int]) -> Element:
    """Return the jobs that run in one row, and one for each that needs something; with many jobs a
    table by project first. The files of the page have numbers by their paths.
    """
    jobs = Jobs(report)
    lines = []
    if jobs.running:
        names: list[Element | str] = []
        for job in jobs.running:
            names += [_link_to_job(job, numbers), ", "]
        shown: list[Element | str] = names[:-1]
        if len(jobs.running) >= MANY and not jobs.as_numbers:
            title = el("summary", {}, f"{len(jobs.running)} jobs")
            shown = [el("details", {}, title, *names[:-1])]
        lines.append(el("tr", {"class": "runs"}, *cells("runs"), el("td", {"colspan": 2}, *shown)))

    def row(job: Job, state: JobState, label: str, text: str) -> Element:
        return el("tr", {"class": state.value}, *cells(label, _link_to_job(job, numbers), text))

    in_need = (*jobs.waiting, *jobs.others)
    lines += [row(job, job.state, job.label, job.needs()) for job in in_need]
    for job in jobs.all:
        if job.verified is not None:
            state = JobState.RUNS if job.verified.equal else JobState.CANNOT
            lines.append(row(job, state, *outcome(job.verified)))
    if not lines:
        return el("section", {"id": "jobs"})
    parts = [el("table", {"class": "jobs"}, el("tbody", {}, *lines))]
    if jobs.as_numbers:
        title = el("summary", {}, f"{len(jobs.all)} jobs by name")
        body = [cells(el("code", {}, name), *numbers) for name, numbers in jobs.rows()]
        shown_rows = (el("tr", {}, *row) for row in body)
        projects = table({"class": "projects"}, ("project", *COLUMNS), shown_rows)
        parts = [projects, el("details", {}, title, *parts)]
    return el("section", {"id": "jobs"}, el("h2", {}, "Jobs"), *parts)


def _link_to_job(job: Job, numbers: Mapping[str, int]) -> Element:
    name = el("code", {}, job.path)
    number = numbers.get(job.path)
    return name if number is None else el("a", {"href": f"#file-{number}"}, name)


def _summary(report: Report) -> Element:
    """Return shares of the uses as a bar, the totals, and the table of rules."""
    counts = el("div", {}, facts_table(totals(report)))
    columns = el("div", {"class": "columns"}, counts, _rules(report))
    return el("section", {"id": "summary"}, el("h2", {}, "Summary"), _bar(report), columns)


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
        counted = [el("td", {"class": "number"}, str(n or "")) for n in numbers]
        rows.append(el("tr", {}, *cells(button, name), *counted))
    titles = ("rule", "", "fixed", "to do", "bugs", "notes", "minutes")
    return el("div", {}, table({"class": "rules"}, titles, rows))
