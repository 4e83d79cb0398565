"""What runs of a job gave, made up, and their comparison."""

from __future__ import annotations

from typing import Any

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import encode
from migrator.verify.comparison import Comparison, Rules, compare

PPRINT = Output("pprint at job.py:3", "pprint", "reduceByKey at job.py:2")


def outcome(
    *batches: list[list[Any]] | None,
    engine: str = "compat",
    outputs: list[Output] | None = None,
    end: str = "stopped",
    error: str = "",
    failed: int = 0,
) -> Results:
    """A run; a batch has the rows of each output, or None for an output that did not run."""
    outputs = outputs or [PPRINT]
    runs: list[dict[int, list[Any]]] = [{} for _ in outputs]
    for number, batch in enumerate(batches, 1):
        for at, rows in enumerate(batch or ()):
            if rows is not None:
                runs[at][number] = [[encode(row) for row in rows]]
    header = {"engine": engine, "job": "job.py"}
    return Results(header, outputs, runs, end, error, failed=failed)


def compared(old: Results, new: Results, batches: int = 3, **rules: Any) -> Comparison:
    return compare(old, new, Rules(**rules), batches)


OLD = outcome([[("a", 1), ("b", 2)]], [[]], [[("c", 0.5)]])
