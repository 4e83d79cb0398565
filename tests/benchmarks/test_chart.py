"""The chart, drawn from given results."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from benchmarks.harness.chart import BARS, chart
from benchmarks.harness.job import Scale, load
from benchmarks.harness.results import RATIO_ENGINES

SVG = "{http://www.w3.org/2000/svg}"


def spread(median: float) -> dict[str, float]:
    return {"median": median, "min": median * 0.9, "max": median * 1.1}


def results(**times: dict[str, float]) -> dict[str, Any]:
    """Return results in which the small job is so many times faster than others, by measure."""
    measures = {
        measure: {
            "figure": "latency" if measure == "latency" else "wall",
            "ratios": {
                engine: {
                    "latency" if measure == "latency" else "wall": spread(value),
                    "cpu": spread(99),
                }
                for engine, value in engines.items()
            },
        }
        for measure, engines in times.items()
    }
    return {
        "date": "2026-11-23T10:00:00+00:00",
        "versions": {"pyspark": "4.3.0", "python": "3.11.7", "java": "17.0.15", "cores": "2"},
        "jobs": {"small-stateless": {"measures": measures}},
    }


def texts(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def bars(svg: str) -> list[float]:
    """Return the widths of the bars."""
    found = ElementTree.fromstring(svg).iter(f"{SVG}rect")
    return [float(one.attrib["width"]) for one in found if one.attrib["height"] == "13"]


def test_a_bar_for_each_ratio() -> None:
    svg = chart(results(cycle={"dstreams": 2.0, "structured": 0.5}, latency={"dstreams": 4.0}))

    assert len(bars(svg)) == 3
    assert {"2x", "0.5x", "4x"} <= set(texts(svg))
    assert "small batch, back to back" in texts(svg)
    assert not any(value in texts(svg) for value in ("99x", "catching up late intervals"))


def test_bars_are_as_long_as_ratios_are_large() -> None:
    two, half, four = bars(
        chart(results(cycle={"dstreams": 2, "structured": 0.5}, latency={"dstreams": 4}))
    )

    assert two == pytest.approx(half, abs=0.2)  # the axis is logarithmic
    assert four == pytest.approx(2 * two, abs=0.2)


def test_everything_stays_inside() -> None:
    svg = chart(results(cycle={"dstreams": 1000.0, "structured": 0.001}))
    root = ElementTree.fromstring(svg)
    width = float(root.attrib["width"])

    for line in root.iter(f"{SVG}line"):
        assert 0 <= float(line.attrib["x1"]) <= width
        assert 0 <= float(line.attrib["x2"]) <= width


def test_it_says_what_it_was_measured_with_and_loads_nothing() -> None:
    svg = chart(results(cycle={"dstreams": 2.0}))

    assert any("PySpark 4.3.0" in text and "2026-11-23" in text for text in texts(svg))
    assert not re.search(r"href|url\(|<script|@font-face", svg)


def test_results_without_ratios_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="no ratio"):
        chart(results(cycle={}))


def test_bars_are_measures_that_exist() -> None:
    for name, measure, _ in BARS:
        found = {one.name for one in load(name).measures(Scale())}
        assert measure in found, name


def test_every_engine_that_ours_is_compared_with_has_bars() -> None:
    svg = chart(results(cycle=dict.fromkeys(RATIO_ENGINES, 2.0)))

    assert len(bars(svg)) == len(RATIO_ENGINES)
