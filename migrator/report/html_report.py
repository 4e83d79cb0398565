"""One HTML file with everything: it needs no network and runs no script but its own."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from migrator.model.report import Report
from migrator.report.page.changes import accept_bar, are_offered
from migrator.report.page.document import document, resource
from migrator.report.page.elements import el
from migrator.report.page.files import file_view
from migrator.report.page.picture import ShownFile, picture
from migrator.report.page.summary import header, job_table, summary
from migrator.report.pipeline import pipelines
from migrator.report.wording import shown_root
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
        parts = [job_table(report, numbers), summary(report), _filters(report)]
        parts += [accept_bar(report)] if are_offered(report) else []
        parts.append(_legend())
    return [header(report), el("main", {}, *parts, *views)]


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
