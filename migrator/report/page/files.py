"""The view of one file: its pipelines, findings, uses and diff."""

from __future__ import annotations

import difflib
from xml.etree.ElementTree import Element

from migrator.model.changes import ProposedChange
from migrator.model.report import FileReport, Finding, Report, Spot, shown_place
from migrator.model.structured_forms import StructuredForm
from migrator.report.jobs import jobs_in_need
from migrator.report.page.elements import cells, el, table
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
from migrator.source.decode import shown_lines
from migrator.source.excerpt import SourceText

_AROUND = 1
# a line can be as long as a file
_WIDTH = 300
_DIFF_WIDTH = 2000
_KINDS = {"+": "line added", "-": "line removed", "@": "line hunk"}


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
    rows = []
    for step in form.steps:
        line = shown_place(step.at).removeprefix("line ")
        code = el("code", {}, step.before), el("code", {}, step.after)
        rows.append((line, *code, step.why))
    words = f"Structured Streaming ({form.needs}): {quantity(len(rows), 'call')}"
    title = el("summary", {}, words)
    notes = [_prose("details", text) for text in form.differences]
    steps = table({}, ("line", "before", "after", "why"), rows)
    return el("details", {"class": "steps"}, title, steps, *notes)


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
    rows = []
    for site in file.sites:
        name, how = el("code", {}, site.name), MIGRATION[site.migration]
        traits = (site.receiver, site.confidence.value, site.outcome.value, how)
        rows.append(el("tr", {"class": str(site.migration)}, *cells(place(site.at), name, *traits)))
    titles = ("place", "use", "of", "confidence", "outcome", "how")
    uses = quantity(len(file.sites), "use") + " of the DStream API"
    return el("details", {"class": "sites"}, el("summary", {}, uses), table({}, titles, rows))


def are_offered(report: Report) -> bool:
    """Return whether changes can be accepted: what is rewritten in place is made already."""
    return bool(report.changes) and report.mode != "in-place"


def change_list(changes: list[ProposedChange]) -> Element | None:
    """Return the changes of a file with a box for each."""
    if not changes:
        return None
    title = el("h4", {}, quantity(len(changes), "change"))
    return el("div", {"class": "changes"}, title, *map(_change, changes))


def _change(change: ProposedChange) -> Element:
    box = {"type": "checkbox", "class": "accept", "checked": ""}
    box |= {"data-key": change.key, "data-path": change.path}
    first, *others = change.reasons
    more = [el("p", {"class": "details"}, reason) for reason in others]
    return el(
        "div",
        {"class": "change"},
        el("label", {}, el("input", box), f" {first}"),
        *more,
        # the rewriting of the whole file is shown below
        None if change.is_rewriting else el("pre", {}, *diff_lines(change.before, change.after)),
    )


def diff_lines(before: bytes, after: bytes) -> list[Element]:
    """Return the lines of a diff."""
    lines = difflib.unified_diff(shown_lines(before), shown_lines(after), lineterm="")
    return [
        el("span", {"class": _KINDS.get(line[:1], "line")}, line[:_DIFF_WIDTH])
        for line in list(lines)[2:]
    ]


def accept_bar(report: Report) -> Element:
    """Return the button that saves which changes are accepted."""
    return el(
        "form",
        {"id": "accept"},
        el("button", {"type": "button", "id": "save"}, "save the accepted changes"),
        el("button", {"type": "button", "id": "accept-all"}, "accept all"),
        el("button", {"type": "button", "id": "accept-none"}, "accept none"),
        el("output", {"id": "accepted"}),
        el("span", {"class": "legend"}, "a run with --accept FILE makes only these"),
    )
