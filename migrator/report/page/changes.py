"""The changes of a report with boxes, of which the browser makes the file that --accept takes."""

from __future__ import annotations

import difflib
from xml.etree.ElementTree import Element

from migrator.model.changes import ProposedChange
from migrator.model.report import Report
from migrator.report.page.elements import el
from migrator.report.wording import quantity
from migrator.source.decode import shown_lines

_WIDTH = 2000
_KINDS = {"+": "line added", "-": "line removed", "@": "line hunk"}


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
        None if change.is_rewriting else _diff(change),
    )


def diff_lines(before: bytes, after: bytes) -> list[Element]:
    """Return the lines of a diff."""
    lines = difflib.unified_diff(shown_lines(before), shown_lines(after), lineterm="")
    return [
        el("span", {"class": _KINDS.get(line[:1], "line")}, line[:_WIDTH])
        for line in list(lines)[2:]
    ]


def _diff(change: ProposedChange) -> Element:
    return el("pre", {}, *diff_lines(change.before, change.after))


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
