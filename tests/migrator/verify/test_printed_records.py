"""What `pprint` shows is compared with the lines that a query's own code prints."""

from __future__ import annotations

from typing import Any

import pytest

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import encode
from migrator.verify.comparison import with_printed_records

PPRINT = Output("pprint at job.py:5", "pprint", num=2)
PRINTED = Output("lines printed by foreachBatch at new.py:9", "printed")


def results(outputs: list[Output], *runs: dict[int, list[Any]]) -> Results:
    encoded = [{at: [[encode(row) for row in rows]] for at, rows in run.items()} for run in runs]
    return Results({}, outputs, encoded, end="stopped")


LINES = results([PRINTED], {1: ["a"]})


def test_records_become_lines() -> None:
    old = results([PPRINT], {1: [("a", 1), "two\nlines", "more than are printed"], 2: []})
    shown = with_printed_records(old, LINES)
    assert [each.kind for each in shown.outputs] == ["printed"]
    assert shown.runs == results([PRINTED], {1: ["('a', 1)", "two", "lines"], 2: []}).runs


def test_other_outputs_stay() -> None:
    files = Output("saveAsTextFiles at job.py:6", "files")
    old = results([files, PPRINT], {1: [1, 2, 3]}, {1: [1]})
    shown = with_printed_records(old, LINES)
    assert shown.outputs[0] == files
    assert shown.runs == results([files, PRINTED], {1: [1, 2, 3]}, {1: ["1"]}).runs


def test_what_was_given_is_not_changed() -> None:
    old = results([PPRINT], {1: [1]})
    with_printed_records(old, LINES)
    assert old.outputs == [PPRINT]
    assert old.runs == results([PPRINT], {1: [1]}).runs


@pytest.mark.parametrize(
    "outputs",
    [
        [],
        [Output("foreachBatch at new.py:9", "foreachBatch")],
        # a table beside lines is that of a `pprint`
        [PRINTED, Output("show at new.py:10", "show")],
    ],
)
def test_a_job_that_prints_no_records(outputs: list[Output]) -> None:
    old = results([PPRINT], {1: [1]})
    assert with_printed_records(old, results(outputs, *({} for _ in outputs))) is old


def test_an_object_has_no_text_that_is_known() -> None:
    old = results([PPRINT], {1: [object()]})
    assert with_printed_records(old, LINES) is old
