"""One task or several: which way a micro-batch takes, and that both give the same."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any
from unittest.mock import MagicMock

import pytest
from pyspark import SparkContext, TaskContext

from dstream_compat import StreamingContext
from dstream_compat.batch import mode_chooser
from dstream_compat.batch.execution import CODE_SETTINGS, Execution
from dstream_compat.batch.rdds import MicroBatch
from dstream_compat.intervals.scheduler import Work
from dstream_compat.settings import EXECUTION, ONE_TASK, STAGES
from dstream_compat.testing import ManualClock
from dstream_compat.wire.frames import Intervals, pack_intervals
from dstream_compat.worker import single_task as together
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.settings import setting


def everything(rdd: Any) -> tuple[int, list[Any]]:
    return rdd.count(), sorted(rdd.glom().collect(), key=repr)


def len_only(rdd: Any) -> int:
    return len(rdd.map(len).collect())


class Watched:
    """A context whose batches and ways a test looks at, one by one."""

    def __init__(
        self,
        sc: SparkContext,
        build: Callable[[StreamingContext], Any],
        take: Callable[[Any], Any] = everything,
    ) -> None:
        self.ssc = StreamingContext(sc, 1)
        self._look = take
        self.batches: list[Any] = []
        self._done = threading.Semaphore(0)
        build(self.ssc).foreachRDD(self._take)
        self.ssc.start()

    def _take(self, rdd: Any) -> None:
        self.batches.append(self._look(rdd))
        self._done.release()

    def advance(self) -> tuple[str, Any]:
        """Let an interval pass; returns the way that it took, and its batch."""
        ManualClock(self.ssc).advance(1)
        assert self.ssc._job is not None
        deadline = time.monotonic() + DEADLINE
        while not self._done.acquire(timeout=0.2):
            assert time.monotonic() < deadline
            if self.ssc._life.error is not None:
                raise self.ssc._life.error
        return self.ssc._job.mode.name, self.batches[-1]


@pytest.fixture
def watch(sc: SparkContext) -> Iterator[Callable[..., Watched]]:
    made: list[Watched] = []

    def make(*how: Any) -> Watched:
        made.append(Watched(sc, *how))
        return made[-1]

    yield make
    for each in made:
        each.ssc.stop(stopSparkContext=False)


def layers(ssc: StreamingContext, batches: list[list[int]]) -> Any:
    """Return a stream behind four shuffles, with a union of layers of different depth."""
    numbers = ssc.queueStream(batches)
    once = numbers.map(lambda n: (n % 7, n)).reduceByKey(lambda a, b: a + b, 3)
    twice = once.map(lambda pair: (pair[0] % 3, pair[1])).groupByKey(4).mapValues(sorted)
    spread = numbers.repartition(5).map(lambda n: (n % 3, n))
    joined = twice.join(spread.countByValue().map(lambda pair: pair[0]), 2)
    return joined.union(numbers.map(lambda n: (n, ([n], n)))).partitionBy(3)


BATCHES = [list(range(40)), [], [5] * 9, list(range(1000, 1300))]


@pytest.mark.slow
def test_both_ways_give_the_same_partitions(sc: SparkContext, watch: Any) -> None:
    found = {}
    for way in (ONE_TASK, STAGES):
        with setting(sc, EXECUTION.name, way):
            run = watch(lambda ssc: layers(ssc, BATCHES))
            results = [run.advance() for _ in BATCHES]
            run.ssc.stop(stopSparkContext=False)
        assert {taken for taken, _ in results} == {way}
        found[way] = [batch for _, batch in results]
    assert found[ONE_TASK] == found[STAGES]
    assert found[ONE_TASK][0][0] > 40


@pytest.mark.slow
def test_slow_functions_run_in_several_tasks(watch: Any) -> None:
    def slowly(number: int) -> tuple[int, int]:
        task: Any = TaskContext.get()
        time.sleep(0.05)  # the function is what is slow
        return number, task.partitionId()

    run = watch(lambda ssc: ssc.queueStream([list(range(10))] * 3).map(slowly))
    first, (_, parts) = run.advance()
    assert first == ONE_TASK, "nothing is known of the function yet"
    assert {task for part in parts for _, task in part} == {0}
    second, (_, parts) = run.advance()
    assert second == STAGES
    assert {task for part in parts for _, task in part} == {0, 1}


def copies(number: int) -> list[str]:
    return [f"{copy:01000}" for copy in range(number)]


@pytest.mark.slow
def test_a_result_that_is_too_large_is_computed_in_stages(
    watch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bytes are not known before: one task gives up, and the next batch is careful."""
    # a busy machine is not what is asked
    monkeypatch.setattr(mode_chooser, "_MOST_SECONDS", DEADLINE)
    run = watch(lambda ssc: ssc.queueStream([[10], [40_000], [10], [10]]).flatMap(copies), len_only)
    assert together.MOST_BYTES < 40_000 * 1000
    assert run.advance() == (ONE_TASK, 10)
    assert run.advance() == (STAGES, 40_000)
    assert str(run.ssc._job.mode) == "stages: its result is too large for one task"
    assert run.advance() == (STAGES, 10)
    assert run.advance() == (ONE_TASK, 10)


@pytest.mark.slow
@pytest.mark.parametrize("way", [ONE_TASK, STAGES])
def test_small_results_need_one_job(sc: SparkContext, watch: Any, way: str) -> None:
    """``count`` and ``collect`` of the output start no further ones."""
    jobs: list[int] = []

    def look(rdd: Any) -> Any:
        group = sc.getLocalProperty("spark.jobGroup.id")
        assert group is not None
        assert rdd.count() == len(rdd.collect()) == len(rdd.take(9))
        assert not rdd.isEmpty()
        jobs.append(len(sc.statusTracker().getJobIdsForGroup(group)))
        return rdd

    with setting(sc, EXECUTION.name, way):
        run = watch(lambda ssc: layers(ssc, [[1, 2, 3]] * 3).map(str).transform(look))
        for _ in range(3):
            assert run.advance()[0] == way
    # glom() of the test's own output is the other one
    assert [after - before for before, after in pairwise(jobs)] == [2, 2]


@pytest.mark.slow
def test_sql_of_users_generates_code_as_ever(sc: SparkContext) -> None:
    """Spark tells settings of the query's session to all tasks of its thread."""
    names = list(CODE_SETTINGS)

    def settings_in_tasks(rdd: Any) -> list[Any]:
        def told(_: Any) -> list[Any]:
            task: Any = TaskContext.get()
            return [task.getLocalProperty(name) for name in names]

        return rdd.context.parallelize([0], 1).mapPartitions(told).collect()  # type: ignore[no-any-return]

    for way in (ONE_TASK, STAGES):
        with setting(sc, EXECUTION.name, way):
            watched = Watched(sc, lambda ssc: ssc.queueStream([["a"]]), settings_in_tasks)
            try:
                assert watched.advance()[1] == [None, None]
            finally:
                watched.ssc.stop(stopSparkContext=False)


def test_another_micro_batch_than_the_planned_one_is_an_error(
    sc: SparkContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where threads share local properties, a task may see the number of another one."""
    execution = Execution.__new__(Execution)
    work = Work(7, Intervals(1000, 2000, 0, 1000), [])
    made = MicroBatch.of(sc, [pack_intervals(Intervals(0, 1000, 0, 1000), 0)])
    for name in ("_files", "_chooser"):
        monkeypatch.setattr(execution, name, MagicMock(), raising=False)
    monkeypatch.setattr(execution, "_sc", sc, raising=False)
    monkeypatch.setattr(execution, "_in_stages", lambda frame, work, mode: made)
    with pytest.raises(RuntimeError, match="PYSPARK_PIN_THREAD"):
        execution.compute(None, work)
