"""The view of one file: its pipelines, findings, uses and diff."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from migrator.model.report import FileReport, Finding, Report, Spot, shown_place
from migrator.model.structured_forms import StructuredForm
from migrator.report.jobs import jobs_in_need
from migrator.report.page.changes import are_offered, change_list, diff_lines
from migrator.report.page.elements import el
from migrator.report.page.picture import ShownFile
from migrator.report.wording import (
    BUGS,
    BUGS_REMARK,
    MIGRATION,
    duration,
    label,
    list_jobs,
    place,
    quantity,
    status,
)
from migrator.source.excerpt import SourceText

_AROUND = 1
# a line can be as long as a file
_WIDTH = 300


def file_view(
    source: ShownFile, report: Report, number: int, is_open: bool, pictures: list[Element]
) -> Element:
    """Return everything about a file, folded away if the page would be too long.

    Parameters
    ----------
    pictures : list of Element
        The pictures of the pipelines that it is part of.
    """
    file, text = source.file, source.text
    todo = [f for f in file.findings if f.needs_person]
    remark = status(file, report)
    if todo:
        minutes = duration(sum(f.effort for f in todo))
        remark += f", {quantity(len(todo), 'finding')} to do by hand, about {minutes}"
    users = jobs_in_need(file)
    if users:
        remark += f", part of {list_jobs(users)}"
    heading = el(
        "summary",
        {},
        el("h3", {}, el("code", {}, file.path)),
        el("span", {"class": "remark"}, remark),
    )
    attributes = {"class": "file", "id": f"file-{number}", "data-path": file.path.lower()}
    if is_open:
        attributes["open"] = ""
    offered = report.changes if are_offered(report) else []
    changes = [change for change in offered if change.path == file.path]
    findings = [_finding(f, file, text, report) for f in file.findings if not f.is_bug]
    bugs = [_finding(f, file, text, report) for f in file.findings if f.is_bug]
    return el(
        "details",
        attributes,
        heading,
        el("p", {"class": "error"}, file.error) if file.error else None,
        *pictures,
        el("ul", {"class": "findings"}, *findings) if findings else None,
        el("h4", {"title": BUGS_REMARK}, BUGS) if bugs else None,
        el("ul", {"class": "findings bugs"}, *bugs) if bugs else None,
        None if file.structured is None else _structured_table(file.structured),
        change_list(changes),
        *(_diff(*step) for step in file.steps),
        _sites(file),
    )


def _structured_table(form: StructuredForm) -> Element:
    """Return what the calls of a job became as Structured Streaming."""
    rows = [
        el(
            "tr",
            {},
            el("td", {}, shown_place(step.at).removeprefix("line ")),
            el("td", {}, el("code", {}, step.before)),
            el("td", {}, el("code", {}, step.after)),
            el("td", {}, step.why),
        )
        for step in form.steps
    ]
    head = el("tr", {}, *(el("th", {}, name) for name in ("line", "before", "after", "why")))
    words = f"Structured Streaming ({form.needs}): {quantity(len(rows), 'call')}"
    title = el("summary", {}, words)
    notes = [_prose("details", text) for text in form.differences]
    return el("details", {"class": "steps"}, title, el("table", {}, head, *rows), *notes)


def _finding(finding: Finding, file: FileReport, text: SourceText, report: Report) -> Element:
    shown = label(finding, report)
    level = "fixed" if finding.is_fixed else finding.severity.value
    words = f"{finding.code} {finding.name} {finding.message} {file.path}".lower()
    attributes = {"class": f"finding {level}", "data-level": level, "data-text": words}
    attributes["data-code"] = finding.code
    if finding.fingerprint:
        attributes["id"] = f"f-{finding.fingerprint}"
    if finding.suppression is not None:
        attributes["data-level"], shown = "suppressed", f"{shown}, does not count"
        attributes["class"] += " suppressed"
    why = finding.suppression.reason if finding.suppression is not None else ""
    others = "; ".join(f"{origin.path}, {shown_place(origin.at)}" for origin in finding.also)
    minutes = quantity(finding.effort, "minute") if finding.asks_for_change else ""
    return el(
        "li",
        attributes,
        el("span", {"class": "code"}, finding.code),
        el("span", {"class": "level"}, shown),
        el("span", {"class": "where"}, place(finding.at)),
        el("span", {"class": "effort"}, minutes) if minutes else None,
        _prose("message", finding.message),
        _excerpt(finding.at, text) if finding.asks_for_change else None,
        _prose("advice", finding.advice) if finding.advice else None,
        *(_prose("details", detail) for detail in finding.details),
        el("p", {"class": "details"}, f"also in {others}") if others else None,
        el("p", {"class": "why"}, f"ignored: {why}") if why else None,
        el("p", {"class": "why"}, f"because {', '.join(finding.evidence)}")
        if finding.evidence and finding.asks_for_change
        else None,
    )


def _prose(kind: str, text: str) -> Element:
    """Return a message, with what it quotes in backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return el("p", {"class": kind}, text)
    words = (el("code", {}, part) if i % 2 else part for i, part in enumerate(parts))
    return el("p", {"class": kind}, *words)


def _excerpt(at: Spot, text: SourceText) -> Element | None:
    lines = []
    for number in range(at.line - _AROUND, at.line + _AROUND + 1):
        line = text.lines.get((at.cell, number))
        kind = "line"
        if number == at.line and line is not None:
            kind = "line here"
            if len(line) > _WIDTH:
                excerpt = text.excerpt(at, _WIDTH)
                line = None if excerpt is None else excerpt.text
        if line is not None:
            shown = line if len(line) <= _WIDTH else f"{line[:_WIDTH]}..."
            lines.append(el("span", {"class": kind}, f"{number:>5} | {shown}"))
    return el("pre", {}, *lines) if lines else None


def _diff(name: str, original: bytes, content: bytes) -> Element:
    title = el("summary", {}, f"Diff: {name}" if name else "Diff")
    pre = el("pre", {}, *diff_lines(original, content))
    return el("details", {"class": "diff", "open": ""}, title, pre)


def _sites(file: FileReport) -> Element | None:
    if not file.sites:
        return None
    rows = [
        el(
            "tr",
            {"class": str(site.migration)},
            el("td", {}, place(site.at)),
            el("td", {}, el("code", {}, site.name)),
            el("td", {}, site.receiver),
            el("td", {}, site.confidence.value),
            el("td", {}, site.outcome.value),
            el("td", {}, MIGRATION[site.migration]),
        )
        for site in file.sites
    ]
    titles = ("place", "use", "of", "confidence", "outcome", "how")
    head = el("tr", {}, *(el("th", {"scope": "col"}, title) for title in titles))
    uses = quantity(len(file.sites), "use") + " of the DStream API"
    table = el("table", {}, el("thead", {}, head), el("tbody", {}, *rows))
    return el("details", {"class": "sites"}, el("summary", {}, uses), table)
