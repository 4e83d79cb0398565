"""What a query leaves out in intervals without input is no difference where its target says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Row

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import encode
from migrator.verify.comparison import Comparison, Rules, compare, idle_outputs
from tests.support.migrator.runs import Run

LISTED = Rules(idle=frozenset({5}))
TOTALS = Output("pprint at job.py:5", "pprint", place=[0], sources=["socket:1"])
SHOWN = Output("show at new.py:9", "show", place=[0, 9])
GIVEN = Output("foreachBatch at new.py:12", "foreachBatch", place=[0])
JOB = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext()
ssc = StreamingContext(sc, 1)
lines = ssc.{source}
{body}
ssc.start()
ssc.awaitTermination()
"""
SOCKET = 'socketTextStream("h", 9999)'


def results(engine: str, outputs: list[Output], *runs: dict[int, Any], **header: Any) -> Results:
    """Return what a job gave, by output and batch."""
    encoded = [
        {batch: [[encode(row) for row in rows]] for batch, rows in given.items()} for given in runs
    ]
    return Results({"engine": engine} | header, outputs, encoded, end="stopped")


def old(*runs: dict[int, Any], given: Any = None, outputs: list[Output] | None = None) -> Results:
    given = {"socket:1": [1, 3], "socket:2": [2]} if given is None else given
    return results("dstreams", outputs or [TOTALS], *runs, input=given)


def new(rows: dict[int, Any], batches: tuple[int, ...] = (1, 3)) -> Results:
    given = {batch: ["x"] for batch in batches}
    return results("structured", [GIVEN, SHOWN], given, rows)


def compared(one: Results, other: Results, rules: Rules = LISTED) -> Comparison:
    return compare(one, other, rules, 3)


ROWS = {1: ["a 1"], 2: ["a 1"], 3: ["a 2"]}
LESS = {1: ["a 1"], 3: ["a 2"]}


def test_an_idle_interval_is_left_out() -> None:
    found = compared(old(ROWS), new(LESS))
    assert found.differences == []
    assert [(batch, pair.name) for batch, pair in found.idle] == [(2, TOTALS.name)]
    assert (found.rows_old, found.rows_new, found.rows_both) == (2, 2, 2)


@pytest.mark.parametrize(
    ("one", "other", "rules"),
    [
        # the target does not say so
        (old(ROWS), new(LESS), Rules()),
        (old(ROWS), new(LESS), Rules(idle=frozenset({6}))),
        # something came
        (old(ROWS, given={"socket:1": [1, 2, 3]}), new(LESS), LISTED),
        # it is not known what came
        (old(ROWS, given={}), new(LESS, (1, 2, 3)), LISTED),
        # the query had a batch
        (old(ROWS), new(LESS, (1, 2, 3)), LISTED),
        # it gave something else
        (old(ROWS), new(LESS | {2: ["b 1"]}), LISTED),
    ],
)
def test_other_rows_are_missing(one: Results, other: Results, rules: Rules) -> None:
    first = compared(one, other, rules).first()
    assert first is not None
    assert first.batch == 2


def test_an_interval_with_input_is_not_idle() -> None:
    first = compared(old(ROWS), new({1: ["a 1"], 3: ["a 1"]})).first()
    assert first is not None
    assert first.batch == 3


def test_sources_that_are_not_known_are_all() -> None:
    unknown = Output(TOTALS.name, "pprint", place=[0])
    assert compared(old(ROWS, outputs=[unknown]), new(LESS)).first() is not None
    assert compared(old(ROWS, outputs=[unknown], given={"socket:1": [1]}), new(LESS)).idle != []


def test_lines_of_several_functions() -> None:
    functions = [
        Output("foreachRDD at job.py:5", "foreachRDD", place=[0], sources=["socket:1"]),
        Output("foreachRDD at job.py:8", "foreachRDD", place=[1], sources=["socket:2"]),
        Output("lines printed by foreachRDD at job.py:5", "printed", place=[0, 3]),
        Output("lines printed by foreachRDD at job.py:8", "printed", place=[1, 4]),
    ]
    queries = [
        Output("foreachBatch at new.py:1", "foreachBatch", place=[0]),
        Output("foreachBatch at new.py:2", "foreachBatch", place=[1]),
        Output("lines printed by foreachBatch at new.py:1", "printed", place=[0, 3]),
        Output("lines printed by foreachBatch at new.py:2", "printed", place=[1, 4]),
    ]
    one = old({}, {}, {1: ["0"], 2: ["0"]}, {2: ["x"]}, outputs=functions)
    other = results("structured", queries, {1: [1]}, {2: [2]}, {1: ["0"]}, {2: ["x"]})
    found = compared(one, other)
    assert found.differences == []
    assert [batch for batch, _ in found.idle] == [2]
    wrong = results("structured", queries, {1: [1]}, {2: [2]}, {1: ["0"]}, {2: ["y"]})
    first = compared(one, wrong).first()
    assert first is not None
    assert first.batch == 2


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("lines.pprint()", []),
        ("lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b).pprint()", []),
        ("lines.count().pprint()", [8]),
        ("(lines\n    .count()\n    .pprint())", [10]),
        ("lines.foreachRDD(lambda rdd: print(rdd.count()))", [8]),
        (
            "totals = lines.map(lambda line: (line, 1)).updateStateByKey("
            "lambda new, old: sum(new) + (old or 0))\n"
            "totals.pprint()\nlines.pprint()",
            [9],
        ),
        ("lines.countByValueAndWindow(4, 2).pprint()", []),
        ("lines.window(4, 2).count().pprint()", [8]),
    ],
)
def test_outputs_that_the_target_names(body: str, lines: list[int]) -> None:
    assert idle_outputs(JOB.format(source=SOCKET, body=body)) == frozenset(lines)


@pytest.mark.parametrize("text", ["def broken(:", "print(1)", JOB.format(source="x()", body="")])
def test_jobs_without_such_a_form(text: str) -> None:
    assert idle_outputs(text) == frozenset()


def test_the_count_of_an_empty_window() -> None:
    one, given = old({1: [3], 3: [1]}), {1: [3], 3: [1]}
    assert compared(one, new(given | {2: [Row(count=0)]}, (1, 2, 3))).differences == []
    assert compared(one, new(given | {2: [Row(count=1)]}, (1, 2, 3))).differences != []
    assert compared(one, new({1: [3], 3: [0]})).differences != []
    assert compared(one, new(given | {2: [0]}, (1, 2, 3)), Rules()).differences != []


TAGS = """
import json
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext()
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("h", 9999)
users = lines.map(lambda line: (json.loads(line)["user"], 1))
users.updateStateByKey(lambda new, old: sum(new) + (old or 0)).pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_the_shape_of_json_texts_is_that_of_the_migration() -> None:
    assert idle_outputs(TAGS) == frozenset()
    assert idle_outputs(TAGS, "user string?") == frozenset({10})


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--json-shape", "user string"], "--json-shape is what --migrated was made with"),
        (["--json-shape", "user", "--migrated", "new.py"], "'user': the type of 'user' is missing"),
    ],
)
def test_a_shape_of_json_texts_that_is_of_no_use(
    migrate: Callable[..., Run],
    arguments: list[str],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("job.py", "new.py"):
        (tmp_path / name).write_text("print()\n")
    (tmp_path / "batches.jsonl").write_text('{"format": 1, "sources": {"socket:9": {}}}\n')
    run = migrate("verify", "job.py", "--input", "batches.jsonl", *arguments)
    assert run.code == 2
    assert text in run.err
