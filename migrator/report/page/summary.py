"""The head of the HTML report: the totals, the shares, the rules."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from migrator.model.report import Finding, Report
from migrator.report.page.elements import el
from migrator.report.page.picture import SIGNS
from migrator.report.text_tables import totals
from migrator.report.wording import MIGRATION, closing, nothing, shares


def header(report: Report) -> Element:
    """Title, path, and the result in words."""
    lines = closing(report) if report.files else [nothing(report)]
    *before, last = lines
    return el(
        "header",
        {},
        el("h1", {}, "DStream migration"),
        el("p", {"class": "path"}, el("code", {}, report.root)),
        el("p", {"class": "result"}, last),
        *(el("p", {}, line) for line in before),
    )


def summary(report: Report) -> Element:
    """Shares of the uses as a bar, the totals, and the table of rules."""
    rows = [
        el("tr", {}, el("th", {"scope": "row"}, name.strip()), _number(count), _number(share))
        for name, count, share in totals(report)
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
    for way, count, percent in shares(report):
        where = {"x": f"{start:.3f}%", "width": f"{percent:.3f}%", "y": "0", "height": "18"}
        title = el("title", {}, f"{MIGRATION[way]}: {count}")
        parts.append(el("rect", {"class": f"bar {way}", **where}, title))
        start += percent
        sign = el("span", {"class": f"key {way}"}, SIGNS[way])
        keys.append(el("li", {}, sign, f" {MIGRATION[way]}: {count} ({percent:.1f} %)"))
    if not parts:
        return None
    label = "what becomes of the uses of the DStream API"
    bar = el("svg", {"class": "shares", "height": 18, "role": "img", "aria-label": label}, *parts)
    return el("div", {}, bar, el("ul", {"class": "keys"}, *keys))


def _rules(report: Report) -> Element | None:
    counts: dict[tuple[str, str], list[Finding]] = {}
    for _, finding in report.findings():
        if finding.suppression is None:
            counts.setdefault((finding.code, finding.name), []).append(finding)
    if not counts:
        return None
    rows = []
    for (code, name), found in sorted(counts.items()):
        fixed = sum(f.fixed for f in found)
        todo = sum(f.needs_person for f in found)
        bugs = sum(f.is_bug for f in found)
        minutes = sum(f.effort for f in found if f.asks_for_change)
        numbers = (fixed, todo, bugs, len(found) - fixed - todo - bugs, minutes)
        button = el("button", {"type": "button", "class": "rule", "data-code": code}, code)
        cells = [_number(str(n or "")) for n in numbers]
        rows.append(el("tr", {}, el("td", {}, button), el("td", {}, name), *cells))
    titles = ("rule", "", "fixed", "to do", "bugs", "notes", "minutes")
    head = el("tr", {}, *(el("th", {"scope": "col"}, title) for title in titles))
    table = el("table", {"class": "rules"}, el("thead", {}, head), el("tbody", {}, *rows))
    return el("div", {}, table)
