"""The picture of a pipeline as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from migrator.model.report import FileReport, StreamOrigin
from migrator.report.page.elements import Attributes, el
from migrator.report.pipeline import Pipeline, PipelineCall, Role
from migrator.report.pipeline_layout import Box, layout, where
from migrator.report.wording import MIGRATION
from migrator.source.excerpt import SourceText

_TITLE = 300


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file with its lines."""

    file: FileReport
    text: SourceText


# colours alone do not reach everyone
SIGNS = {"runs": "✓", "review": "?", "manual": "✎", "impossible": "✕"}
_ROUND = {Role.SOURCE: 22, Role.OPERATOR: 6, Role.OUTPUT: 0}


def picture(pipeline: Pipeline, sources: Mapping[str, ShownFile]) -> Element:
    """Return a pipeline: sources are round, outputs have corners, colours show how a call migrates.

    Parameters
    ----------
    sources : mapping of str to ShownFile
        The files in which it is written down, by their paths.
    """
    drawn = layout(pipeline)
    shows_paths = len(pipeline.paths) > 1
    findings = {
        StreamOrigin(path, f.at): f
        for path in pipeline.paths
        for f in reversed(sources[path].file.findings)
        if f.asks_for_change
    }
    parts = [_line(points) for _, points in drawn.lines]
    for node in pipeline.nodes:
        text = sources[node.origin.path].text
        box = _box(node, drawn.boxes[node.origin], text, where(node, shows_paths))
        finding = findings.get(node.origin)
        parts.append(
            box if finding is None else el("a", {"href": f"#f-{finding.fingerprint}"}, box)
        )
    width, height = round(drawn.width), round(drawn.height)
    attributes: Attributes = {
        "class": "pipeline",
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-label": _description(pipeline),
    }
    return el("div", {"class": "scroll"}, el("svg", attributes, *parts))


def _description(pipeline: Pipeline) -> str:
    names = {role: [n.name for n in pipeline.nodes if n.role is role] for role in Role}
    return "; ".join(
        f"{role}s: {', '.join(node_names)}" for role, node_names in names.items() if node_names
    )


def _line(points: list[tuple[float, float]]) -> Element:
    (x, y), *rest = points
    path = [f"M{x:.1f} {y:.1f}"]
    for to_x, to_y in rest:
        half = (x + to_x) / 2
        path.append(f"C{half:.1f} {y:.1f} {half:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
    path.append(f"M{x - 6:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}L{x - 6:.1f} {y + 4:.1f}")
    return el("path", {"class": "edge", "d": "".join(path)})


def _box(node: PipelineCall, box: Box, text: SourceText, place: str) -> Element:
    source = (text.line(node.origin.at) or "").strip()[:_TITLE]
    middle = f"{box.x + box.width / 2:.1f}"
    return el(
        "g",
        {"class": f"node {node.role} {node.migration}"},
        el("title", {}, f"{node.name}, {place}: {MIGRATION[node.migration]}\n", source),
        el(
            "rect",
            {
                "x": f"{box.x:.1f}",
                "y": f"{box.y:.1f}",
                "width": f"{box.width:.1f}",
                "height": f"{box.height:.1f}",
                "rx": _ROUND[node.role],
            },
        ),
        el(
            "text",
            {"class": "name", "x": middle, "y": f"{box.y + 19:.1f}"},
            f"{SIGNS[node.migration]} {node.name}",
        ),
        el("text", {"class": "where", "x": middle, "y": f"{box.y + 35:.1f}"}, place),
    )
