"""The picture of a pipeline as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from migrator.model.findings import shown_place
from migrator.model.report import FileReport, StreamOrigin
from migrator.report.page.elements import Attributes, el
from migrator.report.pipeline import Pipeline, PipelineCall, Role
from migrator.report.wording import MIGRATION
from migrator.source.excerpt import SourceText

_TITLE = 300
HEIGHT = 44
_CHAR = 8.6
_SMALL_CHAR = 7.0
_PADDING = 40
_GAP_X = 36
_GAP_Y = 18
# room for a line that passes between calls
_LANE = 14
_MARGIN = 8


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


@dataclass(slots=True)
class Box:
    """A call with its place, or a point that a long line goes through (origin None)."""

    origin: StreamOrigin | None
    layer: int
    width: float = 0
    height: float = _LANE
    x: float = 0
    y: float = 0
    sources: list[Box] = field(default_factory=list)

    @property
    def middle(self) -> float:
        """The height at which lines come and go."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes of calls, lines through points, and the size of the whole."""

    boxes: dict[StreamOrigin, Box]
    lines: list[tuple[StreamOrigin, list[tuple[float, float]]]]
    width: float
    height: float


def layout(pipeline: Pipeline) -> Layout:
    """Place every call.

    Returns
    -------
    Layout
        Boxes by their calls; each line with the call that it leads to.
    """
    layers = _layers(pipeline)
    shows_paths = len(pipeline.paths) > 1
    boxes = {
        n.origin: Box(n.origin, layers[n.origin], _width(n, shows_paths), HEIGHT)
        for n in pipeline.nodes
    }
    columns: list[list[Box]] = [[] for _ in range(max(layers.values()) + 1)]
    for box in boxes.values():
        columns[box.layer].append(box)
    chains = [_chain(boxes[a], boxes[b], columns) for a, b in pipeline.edges]
    x = float(_MARGIN)
    for column in columns:
        widest = max(box.width for box in column)
        for box in column:
            box.x, box.width = x, widest
        x += widest + _GAP_X
        _stack(column)
    everything = [box for column in columns for box in column]
    top = min(box.y for box in everything) - _MARGIN
    for box in everything:
        box.y -= top
    height = max(box.y + box.height for box in everything) + _MARGIN
    lines = [(b, _points(chain)) for (_, b), chain in zip(pipeline.edges, chains, strict=True)]
    return Layout(boxes, lines, x - _GAP_X + _MARGIN, height)


def where(node: PipelineCall, shows_path: bool) -> str:
    """Return the place of a call, as it is written below its name."""
    text = shown_place(node.origin.at)
    return f"{PurePosixPath(node.origin.path).name}, {text}" if shows_path else text


def _width(node: PipelineCall, shows_path: bool) -> float:
    below = _SMALL_CHAR * len(where(node, shows_path))
    return _PADDING + max(_CHAR * max(len(node.name), 8), below - _PADDING / 2)


def _layers(pipeline: Pipeline) -> dict[StreamOrigin, int]:
    """Return the longest way from a source to each call, without edges that close circles."""
    before: dict[StreamOrigin, list[StreamOrigin]] = {node.origin: [] for node in pipeline.nodes}
    for source, target in pipeline.edges:
        before[target].append(source)
    layers: dict[StreamOrigin, int] = {}
    for start in before:
        stack, active = [start], {start}
        while stack:
            spot = stack[-1]
            waiting = [s for s in before[spot] if s not in layers and s not in active]
            if waiting:
                stack.append(waiting[0])
                active.add(waiting[0])
                continue
            stack.pop()
            if spot not in layers:
                layers[spot] = 1 + max((layers[s] for s in before[spot] if s in layers), default=-1)
    return layers


def _chain(source: Box, target: Box, columns: list[list[Box]]) -> list[Box]:
    """Return the boxes that a line goes through, with points in the columns between."""
    chain = [source]
    for layer in range(source.layer + 1, target.layer):
        point = Box(None, layer, sources=[chain[-1]])
        columns[layer].append(point)
        chain.append(point)
    target.sources.append(chain[-1])
    return [*chain, target]


def _stack(column: list[Box]) -> None:
    """Place the boxes of a column near what feeds them, one below the other."""
    last = 0.0
    heights: dict[int, float] = {}
    for box in column:
        feeding = [s.middle for s in box.sources if s.layer < box.layer]
        if feeding:
            last = sum(feeding) / len(feeding)
        heights[id(box)] = last
    column.sort(key=lambda box: heights[id(box)])
    bottom = None
    for box in column:
        y = heights[id(box)] - box.height / 2
        box.y = y if bottom is None else max(y, bottom + _GAP_Y)
        bottom = box.y + box.height
    # as much above what feeds it as below
    shift = sum(box.middle - heights[id(box)] for box in column) / len(column)
    for box in column:
        box.y -= shift


def _points(chain: list[Box]) -> list[tuple[float, float]]:
    first, *between, last = chain
    points = [(first.x + first.width, first.middle)]
    for box in between:
        points += [(box.x, box.middle), (box.x + box.width, box.middle)]
    return [*points, (last.x, last.middle)]
