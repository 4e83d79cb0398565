"""Python workers that die in the middle of a batch: the task runs again, the result is exact."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.streaming.processes import run_job
from tests.support.streaming.recovery_log import read_log

pytestmark = pytest.mark.slow

# Locally, Spark gives up on a task at once; then the whole micro-batch runs again.
MASTERS = {"task": "local[2,4]", "micro-batch": "local[2]"}


@pytest.mark.parametrize("again", ["task", pytest.param("micro-batch", marks=pytest.mark.full)])
def test_result_is_exact(tmp_path: Path, again: str) -> None:
    log = tmp_path / "log"
    done = run_job("worker_death", MASTERS[again], str(tmp_path), str(log))
    assert done.code == 0, done.out + done.err[-3000:]
    died = {"map", "updateStateByKey", "mapWithState", "reduceByKeyAndWindow"}
    assert died <= {path.name for path in tmp_path.iterdir()}
    contents = {batch: found[-1] for batch, found in read_log(log).items()}
    assert all(seen == contents[batch] for batch, found in read_log(log).items() for seen in found)
    assert contents == {
        ("counts", 1.0): [["a", 2], ["b", 1], ["c", 1]],
        ("counts", 2.0): [["a", 3], ["b", 2], ["c", 1]],
        ("counts", 3.0): [["a", 4], ["b", 2], ["c", 3]],
        ("counts", 4.0): [["a", 4], ["b", 3], ["c", 3]],
        ("tracked", 1.0): [["a", 1], ["a", 2], ["b", 1], ["c", 1]],
        ("tracked", 2.0): [["a", 3], ["b", 2]],
        ("tracked", 3.0): [["a", 4], ["c", 2], ["c", 3]],
        ("tracked", 4.0): [["b", 3]],
        ("windows", 1.0): [["a", 2], ["b", 1], ["c", 1]],
        ("windows", 2.0): [["a", 3], ["b", 2], ["c", 1]],
        ("windows", 3.0): [["a", 2], ["b", 1], ["c", 2]],
        ("windows", 4.0): [["a", 1], ["b", 1], ["c", 2]],
    }
