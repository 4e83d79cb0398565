"""A fleet as one HTML file: tables that can be sorted and filtered, and links to each project."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote
from xml.etree.ElementTree import Element

from migrator.model.fleet import NO_FORM, FleetJob, FleetProject
from migrator.report.fleet.summary import (
    NO_STATE,
    by_kept_state,
    by_source,
    by_verification,
    in_order,
    jobs_of,
    reached_targets,
    shared_tasks,
    wave,
)
from migrator.report.fleet.text_report import headline, numbers
from migrator.report.jobs import JobState
from migrator.report.page.elements import cells, document, el, facts_table, resource, table
from migrator.report.wording import short_duration

_TARGETS = ("unchanged", "compat", "portable", "classic")
_PROJECT_COLUMNS = (
    *("order", "project", "jobs", "run", "need", "cannot", *_TARGETS, "equal", "time", "when"),
)
_JOB_COLUMNS = (
    *("project", "job", "state", "source", "keeps", "compat", "structured", "Spark"),
    *("time", "verified", "what it needs"),
)


def render(projects: Sequence[FleetProject]) -> str:
    """Return the page."""
    style = resource("report.css") + resource("fleet.css")
    top = el(
        "header",
        {},
        el("h1", {}, "DStream migration"),
        el("p", {"class": "result"}, headline(projects)),
    )
    parts = [_summary(projects), _tasks(projects), _filters(projects)]
    parts += [_projects(projects), _jobs(projects)]
    body = el("main", {}, *parts)
    return document("DStream migration of a fleet", style, resource("fleet.js"), top, body)


def _summary(projects: Sequence[FleetProject]) -> Element:
    totals = facts_table(numbers(projects))
    return el("section", {"id": "summary"}, el("h2", {}, "Summary"), totals)


def _tasks(projects: Sequence[FleetProject]) -> Element | None:
    tasks = shared_tasks(projects)
    if not tasks:
        return None
    rows = []
    for task in tasks:
        button = {"type": "button", "class": "rule", "data-words": f"{task.code} {task.text}"}
        counts = (_number(task.jobs), _number(task.projects), _time(task.minutes))
        rows.append(el("tr", {}, *cells(el("button", button, task.code), task.text), *counts))
    titles = ("rule", "what jobs wait for", "jobs", "projects", "time")
    heading = el("h2", {}, "What they wait for")
    return el("section", {"class": "tasks-part"}, heading, _sortable_table("tasks", titles, rows))


def _filters(projects: Sequence[FleetProject]) -> Element:
    jobs = jobs_of(projects)
    states = {job.state for job in jobs}
    reached = {name for job in jobs for name in reached_targets(job)}
    boxes = [
        el("label", {}, el("input", {"type": "checkbox", "value": s, "checked": ""}), f" {s}")
        for s in JobState
        if s in states
    ]
    box = {"type": "search", "id": "query", "placeholder": "project, job, rule or words"}
    return el(
        "form",
        {"id": "filter", "role": "search"},
        el("label", {"for": "query"}, "Filter"),
        el("input", box),
        *boxes,
        _choice("source", (name for name, _ in by_source(jobs))),
        _choice("keeps", (name for name, _ in by_kept_state(jobs))),
        _choice("verdict", (name for name, _ in by_verification(jobs))),
        _choice("target", (name for name in _TARGETS if name in reached)),
        el("button", {"type": "reset"}, "all"),
        el("output", {"id": "shown", "for": "query"}),
    )


def _choice(name: str, values: Iterable[str]) -> Element:
    options = [el("option", {"value": value}, value) for value in values]
    attributes = {"data-filter": name, "aria-label": name}
    return el("select", attributes, el("option", {"value": ""}, f"any {name}"), *options)


def _projects(projects: Sequence[FleetProject]) -> Element:
    rows = [_project(number, project) for number, project in enumerate(in_order(projects), 1)]
    heading = el("h2", {}, "Projects, in the order to move them in")
    return el("section", {}, heading, _sortable_table("projects", _PROJECT_COLUMNS, rows))


def _project(number: int, project: FleetProject) -> Element:
    jobs = project.jobs
    name: Element = el("code", {}, project.name)
    if project.page:
        name = el("a", {"href": quote(project.page)}, name)
    only = {"type": "button", "class": "only", "data-project": project.name}
    states = (project.in_state(state) for state in JobState)
    reached = (sum(target in reached_targets(job) for job in jobs) for target in _TARGETS)
    equal = sum(job.verified == "equal" for job in jobs)
    note = el("p", {"class": "error"}, project.error) if project.error else None
    return el(
        "tr",
        {"data-name": project.name, "class": "cannot" if project.error else ""},
        _number(number),
        el("td", {}, name, note),
        el("td", {"class": "number", "data-sort": len(jobs)}, el("button", only, str(len(jobs)))),
        *map(_number, (*states, *reached, equal)),
        _time(project.minutes),
        el("td", {"data-sort": number}, wave(project).value),
    )


def _jobs(projects: Sequence[FleetProject]) -> Element:
    rows = [_job(project, job) for project in in_order(projects) for job in project.jobs]
    return el("section", {}, el("h2", {}, "Jobs"), _sortable_table("jobs", _JOB_COLUMNS, rows))


def _job(project: FleetProject, job: FleetJob) -> Element:
    sources, states = job.sources or ("unknown",), job.keeps or (NO_STATE,)
    words = [project.name, job.path, job.needs, *sources, *states, *job.no_form, job.verified]
    words += [f"{task.code} {task.text}" for task in job.tasks]
    attributes = {
        "class": job.state,
        "data-state": job.state,
        "data-project": project.name,
        "data-source": "|".join(sources),
        "data-keeps": "|".join(states),
        "data-verdict": job.verified,
        "data-target": "|".join(reached_targets(job)),
        "data-text": " ".join(words).lower(),
    }
    compat = {None: "", True: "runs", False: "no"}[job.compat]
    form = job.structured or ""
    if form == NO_FORM and job.no_form:
        form = f"none: {', '.join(job.no_form)}"
    return el(
        "tr",
        attributes,
        *cells(project.name, el("code", {}, job.path)),
        el("td", {"class": "state"}, job.state),
        *cells(", ".join(job.sources), ", ".join(job.keeps)),
        *cells("unchanged" if job.unchanged else compat, form, job.spark or ""),
        _time(job.minutes),
        *cells(job.verified, job.needs),
    )


def _sortable_table(name: str, columns: Iterable[str], rows: Iterable[Element]) -> Element:
    """Return a table whose columns sort it."""
    heads = (el("button", {"type": "button", "class": "sort"}, column) for column in columns)
    return el("div", {"class": "wide"}, table({"class": f"sortable {name}"}, heads, rows))


def _number(value: int) -> Element:
    return el("td", {"class": "number", "data-sort": value}, str(value or ""))


def _time(minutes: int) -> Element:
    text = short_duration(minutes) if minutes else ""
    return el("td", {"class": "number", "data-sort": minutes}, text)
