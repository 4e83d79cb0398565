"""Medians, ratios, growth and the table, from given figures."""

from __future__ import annotations

import json

from benchmarks.harness.batches import BatchJob
from benchmarks.harness.figures import Measured
from benchmarks.harness.job import Measure, Scale
from benchmarks.harness.results import (
    HEADER,
    document,
    job_results,
    ratios,
    row,
    spread,
    table,
    text,
)
from benchmarks.harness.schedule import Rounds

JOB = BatchJob("a-job", "what it does")


def rounds(measure: Measure, **found: list[dict[str, float]]) -> Rounds:
    """Return rounds with the figures of each engine."""
    result = Rounds(measure)
    for engine, figures in found.items():
        for one in figures:
            result.add(engine, Measured(100, one))
    return result


def test_spread() -> None:
    assert spread([3.0, 1.0, 2.0]) == {"median": 2.0, "min": 1.0, "max": 3.0}
    assert spread([1.0, 2.0])["median"] == 1.5
    assert spread([1.23456789])["min"] == 1.235


def test_ratios_are_of_rounds_that_ran_in_turn() -> None:
    ours = [Measured(1, {"wall": 1.0}), Measured(1, {"wall": 2.0}), Measured(1, {"wall": 1.0})]
    theirs = [Measured(1, {"wall": 2.0}), Measured(1, {"wall": 6.0}), Measured(1, {"wall": 5.0})]

    assert ratios(ours, theirs) == {"wall": {"median": 3.0, "min": 2.0, "max": 5.0}}


def test_ratios_need_the_figure_on_both_sides() -> None:
    ours = [Measured(1, {"wall": 1.0, "idle_cpu": 0.0, "cpu": 1.0})]
    theirs = [Measured(1, {"wall": 2.0, "idle_cpu": 1.0, "latency": 3.0})]

    assert set(ratios(ours, theirs)) == {"wall"}


def test_a_row_has_all_engines_and_both_ratios() -> None:
    found = row(
        rounds(
            Measure("cycle", "what", 2),
            dstreams=[{"wall": 2.0, "memory": 100.0}, {"wall": 4.0, "memory": 120.0}],
            ours=[{"wall": 1.0, "memory": 50.0}, {"wall": 1.0, "memory": 60.0}],
            structured=[{"wall": 0.5}, {"wall": 0.5}],
        )
    )

    assert found["rounds"] == 2
    assert found["engines"]["dstreams"]["wall"] == {"median": 3.0, "min": 2.0, "max": 4.0}
    assert found["engines"]["ours"]["rows"] == 100
    assert found["engines"]["structured"]["rows_per_second"]["median"] == 200.0
    assert found["ratios"]["dstreams"]["wall"]["median"] == 3.0
    assert found["ratios"]["dstreams"]["memory"]["median"] == 2.0
    assert found["ratios"]["structured"]["wall"]["median"] == 0.5


def test_a_round_that_not_all_have_run_is_not_counted() -> None:
    found = rounds(Measure("cycle", "what", 2), dstreams=[{"wall": 1.0}] * 2, ours=[{"wall": 1.0}])

    assert found.complete == 1
    assert Rounds(Measure("cycle", "what", 2)).complete == 0


def test_an_engine_alone_has_no_ratio() -> None:
    assert row(rounds(Measure("cycle", "what", 1), ours=[{"wall": 1.0}]))["ratios"] == {}


def test_growth_is_told_beside_the_smallest_size() -> None:
    found = job_results(
        JOB,
        [
            rounds(
                Measure("small", "", 1, size=10), ours=[{"wall": 1.0}], dstreams=[{"wall": 1.0}]
            ),
            rounds(
                Measure("large", "", 1, size=100), ours=[{"wall": 1.5}], dstreams=[{"wall": 4.0}]
            ),
        ],
        4.2,
    )

    assert found["seconds"] == 4
    assert "growth" not in found["measures"]["small"]
    assert found["measures"]["large"]["growth"] == {"from": 10, "ours": 1.5, "dstreams": 4.0}
    assert any(line.endswith("  1.50x of 10") for line in table("a-job", found))


def test_idle_intervals_and_peak_memory_have_rows() -> None:
    cycle = {"wall": 1.0, "memory": 500.0}
    latency = {"latency": 0.2, "idle_cpu": 0.1, "memory": 400.0}
    slow = {"latency": 0.4, "idle_cpu": 0.3, "memory": 800.0}
    found = job_results(
        JOB,
        [
            rounds(Measure("cycle", "", 1), dstreams=[cycle], ours=[cycle]),
            rounds(Measure("latency", "", 1, "latency"), dstreams=[slow], ours=[latency]),
        ],
        4.2,
    )["measures"]

    assert list(found) == ["cycle", "latency", "idle", "memory"]
    assert found["idle"]["engines"]["ours"]["idle_cpu"]["median"] == 0.1
    assert found["idle"]["ratios"]["dstreams"]["idle_cpu"]["median"] == 3.0
    assert found["memory"]["engines"]["ours"]["memory"]["median"] == 500.0
    assert found["memory"]["engines"]["dstreams"]["memory"]["median"] == 800.0


def test_table_shows_the_figure_of_each_measure() -> None:
    measure = Measure("latency", "", 1, "latency")
    found = job_results(
        JOB, [rounds(measure, ours=[{"latency": 0.25}], dstreams=[{"latency": 1.0}])], 4.2
    )
    (line,) = table("a-job", found)

    cells = line.split()
    assert cells[:6] == ["a-job", "latency", "latency", "1", "0.25", "-"]
    assert "4.00 (4.00-4.00)" in line
    assert len(line) == len(HEADER)


def test_document_is_json_and_says_what_it_depends_on() -> None:
    found = document({"a": {"measures": {}}}, {"b": "no broker"}, Scale("quick"), 12.4, 0.5)

    assert json.loads(text(found)) == found
    assert found["scale"] == "quick"
    assert found["seconds"] == 12
    assert found["load"] == 0.5
    assert found["left_out"] == {"b": "no broker"}
    assert {"python", "java", "pyspark", "dstream-compat", "cores"} <= set(found["versions"])
    assert found["date"].startswith("20")


def test_each_figure_has_a_line() -> None:
    found = {"jobs": {"a": {"wall": spread([1.0, 2.0]), "cpu": spread([3.0])}, "left_out": {}}}
    lines = text(found).splitlines()

    assert json.loads("".join(lines)) == found
    assert [line.strip().rstrip(",") for line in lines if "median" in line] == [
        '"wall": {"median": 1.5, "min": 1.0, "max": 2.0}',
        '"cpu": {"median": 3.0, "min": 3.0, "max": 3.0}',
    ]


def test_table_shows_rows_a_second_of_large_batches() -> None:
    large = Rounds(Measure("large", "", 1))
    large.add("ours", Measured(200_000, {"wall": 0.5}))
    found = job_results(JOB, [large, rounds(Measure("small", "", 1), ours=[{"wall": 0.5}])], 4.2)

    lines = table("a-job", found)

    assert lines[0].endswith("  400,000 rows/s")
    assert "rows/s" not in lines[1]
