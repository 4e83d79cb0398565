"""Draws the README's chart: how many times faster than DStreams and than a query by hand."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from typing import Any, Final

from .figures import DSTREAMS, STRUCTURED

BARS: Final = (
    ("small-stateless", "cycle", "small batch, back to back"),
    ("small-stateless", "latency", "small batch, latency"),
    ("small-stateful", "cycle", "small batch with state, back to back"),
    ("small-stateful", "latency", "small batch with state, latency"),
    ("word-count-arbitrary", "200000-lines", "word count, any functions"),
    ("word-count-simple", "cycle", "word count, simple lambdas"),
    ("window", "cycle", "window with inverse"),
    ("update-state", "100000-keys", "updateStateByKey, 100,000 keys"),
    ("update-state", "1000000-keys", "updateStateByKey, 1,000,000 keys"),
    ("late-intervals", "all", "catching up late intervals"),
    ("first-output", "first", "first output after the start"),
    ("first-output-stateful", "first", "first output after the start, with state"),
    ("advertising", "cycle", "advertising events"),
    ("kafka-alert", "cycle", "alerts from Kafka"),
)
"""Job, measure and label, in the order of the picture."""

_COLORS: Final = {DSTREAMS: "#1f6feb", STRUCTURED: "#8b949e"}
_LEGEND: Final = {DSTREAMS: "than DStreams", STRUCTURED: "than Structured Streaming by hand"}
_WIDTH, _LEFT, _RIGHT, _TOP, _BAR, _GAP = 860, 270, 70, 74, 13, 12
_TICKS: Final = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_INK, _LINE = "#24292f", "#d0d7de"


def chart(results: Mapping[str, Any]) -> str:
    """Return the picture of results as SVG.

    Parameters
    ----------
    results : mapping
        what ``results.document`` gave

    Raises
    ------
    ValueError
        if nothing in them can be drawn
    """
    groups = [
        (label, times)
        for job, measure, label in BARS
        if (times := _times(results, job, measure)) is not None
    ]
    if not groups:
        raise ValueError("the results have no ratio that the chart shows")
    values = [value for _, times in groups for one in times.values() for value in one.values()]
    scale = _Scale(min(values), max(values))
    height = _TOP + sum(_group_height(times) for _, times in groups) + 30
    parts = [*_head(results, height), *_axis(scale, height - 24)]
    top = _TOP
    for label, times in groups:
        parts += _group(label, times, top, scale)
        top += _group_height(times)
    return "\n".join([*parts, "</svg>", ""])


class _Scale:
    """A logarithmic axis that has 1."""

    def __init__(self, least: float, most: float) -> None:
        low = max((tick for tick in _TICKS if tick <= min(least, 1)), default=_TICKS[0])
        high = min((tick for tick in _TICKS if tick >= max(most, 1)), default=_TICKS[-1])
        self.ticks = [tick for tick in _TICKS if low <= tick <= high]
        self._low, self._high = math.log(low), math.log(max(high, low * 2))

    def x(self, value: float) -> float:
        share = (math.log(value) - self._low) / (self._high - self._low)
        return _LEFT + min(max(share, 0.0), 1.0) * (_WIDTH - _LEFT - _RIGHT)


def _times(results: Mapping[str, Any], job: str, measure: str) -> dict[str, Any] | None:
    found = results["jobs"].get(job, {}).get("measures", {}).get(measure)
    if found is None:
        return None
    times = {
        engine: one[found["figure"]]
        for engine, one in found["ratios"].items()
        if found["figure"] in one
    }
    return times or None


def _group_height(times: Mapping[str, Any]) -> int:
    return len(times) * (_BAR + 2) + _GAP


def _head(results: Mapping[str, Any], height: int) -> list[str]:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" font-family="sans-serif" font-size="13" '
        f'role="img">',
        "<title>How many times faster dstream_compat is</title>",
        f'<rect width="{_WIDTH}" height="{height}" fill="#ffffff"/>',
        _text(12, 24, "How many times faster dstream_compat is", size=16, weight="bold"),
        _text(12, 46, _caption(results), color="#57606a"),
    ]
    x = _LEFT
    for engine, legend in _LEGEND.items():
        parts.append(f'<rect x="{x}" y="54" width="11" height="11" fill="{_COLORS[engine]}"/>')
        parts.append(_text(x + 16, 64, legend))
        x += 140
    return parts


def _caption(results: Mapping[str, Any]) -> str:
    used = results["versions"]
    return (
        f"PySpark {used['pyspark']}, Python {used['python']}, Java {used['java']}, 2 cores, "
        f"{results['date'][:10]}; medians, lines from minimum to maximum"
    )


def _axis(scale: _Scale, bottom: float) -> list[str]:
    parts = []
    for tick in scale.ticks:
        x = scale.x(tick)
        width, color = (2, _INK) if tick == 1 else (1, _LINE)
        parts.append(
            f'<line x1="{x:.1f}" y1="{_TOP - 4}" x2="{x:.1f}" y2="{bottom}" '
            f'stroke="{color}" stroke-width="{width}"/>'
        )
        parts.append(_text(x, bottom + 16, f"{tick:g}x", anchor="middle"))
    return parts


def _group(label: str, times: Mapping[str, Any], top: float, scale: _Scale) -> list[str]:
    middle = top + (_group_height(times) - _GAP) / 2 + 4
    parts = [_text(_LEFT - 10, middle, label, anchor="end")]
    for number, (engine, one) in enumerate(times.items()):
        y = top + number * (_BAR + 2)
        left, right = sorted((scale.x(1), scale.x(one["median"])))
        parts.append(
            f'<rect x="{left:.1f}" y="{y}" width="{max(right - left, 1):.1f}" height="{_BAR}" '
            f'fill="{_COLORS[engine]}"/>'
        )
        center = y + _BAR / 2
        parts.append(
            f'<line x1="{scale.x(one["min"]):.1f}" y1="{center}" x2="{scale.x(one["max"]):.1f}" '
            f'y2="{center}" stroke="{_INK}" stroke-width="1.5"/>'
        )
        end = max(scale.x(one["max"]), right)
        parts.append(_text(end + 6, y + _BAR - 2, f"{one['median']:.2g}x", size=12))
    return parts


def _text(
    x: float,
    y: float,
    text: str,
    anchor: str = "start",
    size: int = 13,
    weight: str = "normal",
    color: str = _INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{color}">{html.escape(text)}</text>'
    )
