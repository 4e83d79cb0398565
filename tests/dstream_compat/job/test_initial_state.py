"""States of old checkpoints are read by tasks of the first micro-batch, not by the driver."""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.job.initial_state import InitialState
from dstream_compat.plan.compile import Plan, compile_graph
from dstream_compat.worker.reading.entries import InitialPart
from tests.dstream_compat.old_checkpoint.conftest import FIXTURES
from tests.support.old_engine.running import expected
from tests.support.streaming.file_runs import elsewhere
from tests.support.streaming.processes import run_job
from tests.support.streaming.stepwise import Run

__all__ = ["elsewhere"]

pytestmark = pytest.mark.slow

OLD = FIXTURES / "lz4"


def add(new: list[int], old: int | None) -> int:
    return (old or 0) + sum(new)


def plan_of(sc: SparkContext, initial: object) -> Plan:
    ssc = StreamingContext(sc, 1)
    totals = ssc.queueStream([[("a", 1)]]).updateStateByKey(add, initialRDD=initial)
    totals.foreachRDD(lambda rdd: None)
    (plan,) = compile_graph(ssc._graph, 2)
    return plan


@pytest.mark.parametrize("by_jvm", [False, True])
def test_the_driver_has_names_of_files(
    sc: SparkContext, elsewhere: Callable[[Path], str], tmp_path: Path, by_jvm: bool
) -> None:
    """A job that goes on has them, too, until the first micro-batch is committed."""
    place = elsewhere(shutil.copytree(OLD, tmp_path / "old")) if by_jvm else str(OLD)
    kept = str(tmp_path / "initial")
    begun = InitialState(plan_of(sc, f"checkpoint:{place}#1"), sc, kept, lambda: False)
    assert begun.needs_jvm() is by_jvm
    begun.keep()
    again = InitialState(plan_of(sc, None), sc, kept, lambda: False)
    assert again.entries() == begun.entries()
    assert {type(entry) for entry in again.entries()} == {InitialPart}
    assert again.needs_jvm() is by_jvm
    assert not InitialState(plan_of(sc, None), sc, kept, lambda: True).needs_jvm()


@pytest.mark.parametrize("where", ["here", "elsewhere", "a, b"])
def test_a_job_that_begins_with_a_state(
    sc: SparkContext, elsewhere: Callable[[Path], str], tmp_path: Path, where: str
) -> None:
    copy = shutil.copytree(OLD, tmp_path / where)
    place = str(copy) if where == "here" else elsewhere(copy)
    with Run(sc) as run:
        pairs = run.ssc.queueStream([[("a", 1), ("z", 5)], [("a", 1)]])
        totals = pairs.updateStateByKey(add, 3, f"checkpoint:{place}#1")
        run.keep("totals", totals)
        run.keep("twice", totals.updateStateByKey(add, 2, f"checkpoint:{place}#1"))
        run.start()
        run.advance(2)
        begun = Counter(dict(expected("sums", 4)))
        batches = [begun + Counter(a=1, z=5), begun + Counter(a=2, z=5)]
        assert [dict(batch) for batch in run.batches("totals")] == batches
        behind = [begun + batches[0], begun + batches[0] + batches[1]]
        assert [dict(batch) for batch in run.batches("twice")] == behind


@pytest.mark.full
@pytest.mark.parametrize("kind", ["rows", "lines"])
def test_a_job_that_is_killed_as_its_state_is_read(tmp_path: Path, kind: str) -> None:
    """The next process reads it again; nothing is counted twice or not at all.

    One micro-batch reads both the state and rows; before lines come, a job has nothing to recover.
    """
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "part").write_text("a new\n")
    os.utime(tmp_path / "in" / "part", (1, 1))
    places = [str(tmp_path / "new"), str(OLD), str(tmp_path / "in")]
    killed = run_job("begun", *places, kind)
    assert killed.code == -signal.SIGKILL, killed.err[-3000:]
    assert "batch" not in killed.out
    ended = run_job("begun", *places, kind)
    assert ended.code == 0, ended.err[-3000:]
    counts = dict(sorted((Counter(dict(expected("sums", 4))) + Counter(a=1, new=1)).items()))
    assert [line for line in ended.out.splitlines() if "batch" in line] == [f"batch 1: {counts}"]
