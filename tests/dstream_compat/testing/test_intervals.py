"""Batches that a test gives are as long as those of the job, unless it says something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark import RDD, SparkContext
from pyspark.sql import DataFrame, SparkSession

from dstream_compat.testing import Recording, RecordingError, RunError, run_batches

pytestmark = pytest.mark.slow

JOB = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), {interval})
ssc.socketTextStream("localhost", 9999).pprint()
ssc.start()
ssc.awaitTermination()
"""
BATCHES = [["a"], [], ["b", "c"], ["d"]]
GIVEN = {"socket:9999": BATCHES}


def job(folder: Path, interval: float) -> Path:
    path = folder / "job.py"
    path.write_text(JOB.format(interval=interval))
    return path


@pytest.mark.parametrize(
    ("engine", "interval"), [("dstreams", 2), ("compat", 3), ("compat", 0.5), ("compat", 17)]
)
def test_batches_are_those_of_the_job(tmp_path: Path, engine: str, interval: float) -> None:
    found = run_batches(job(tmp_path, interval), GIVEN, engine=engine)
    assert found.only == BATCHES


def test_the_interval_may_be_said(tmp_path: Path) -> None:
    assert run_batches(job(tmp_path, 2), GIVEN, interval=2).only == BATCHES


@pytest.mark.parametrize("inputs", [GIVEN, Recording(2.0, {"socket:9999": {}}, {}, 2)])
def test_another_interval_is_refused(tmp_path: Path, inputs: Any) -> None:
    with pytest.raises(RunError, match=r"interval=1: .* batches of 2 s"):
        run_batches(job(tmp_path, 2), inputs, interval=1)


def test_recorded_batches_are_of_their_own_time(tmp_path: Path) -> None:
    given = {number: {"socket:9999": batch} for number, batch in enumerate(BATCHES, 1) if batch}
    found = run_batches(job(tmp_path, 2), Recording(1.0, {"socket:9999": {}}, given))
    assert found.only == [["a"], ["b", "c", "d"]]


def triggered(*triggers: str) -> Any:
    """Return a function that starts a query for each trigger; those without have the usual one."""

    def show(batch: DataFrame, number: int) -> None:
        batch.show()

    def start(spark: SparkSession) -> None:
        for trigger in triggers:
            lines = spark.readStream.format("socket").option("host", "h").option("port", 9999)
            writer = lines.load().writeStream.foreachBatch(show)
            (writer.trigger(processingTime=trigger) if trigger else writer).start()

    return start


@pytest.mark.parametrize(
    ("triggers", "expected"),
    [
        (["2 seconds"], [BATCHES]),
        (["17 seconds"], [BATCHES]),
        ([""], [BATCHES]),
        (["2 seconds", "4 seconds"], [BATCHES, [[], ["a"], [], ["b", "c", "d"]]]),
    ],
)
def test_batches_are_those_of_the_triggers(
    sc: SparkContext, triggers: list[str], expected: list[list[list[str]]]
) -> None:
    found = run_batches(triggered(*triggers), GIVEN, engine="structured").of_kind("show")
    assert [[[row.value for row in rows] for rows in each] for each in found] == expected


def test_a_trigger_that_no_batch_fits(sc: SparkContext) -> None:
    with pytest.raises(RecordingError, match=r"interval=2: .* a trigger of 3 s"):
        run_batches(triggered("3 seconds"), GIVEN, engine="structured", interval=2)
    known = dict(vars(RDD))
    found = run_batches(triggered("4 seconds"), GIVEN, engine="structured", interval=2)
    assert [len(rows) for rows in found.only] == [0, 1, 0, 3]
    assert dict(vars(RDD)) == known, "what is replaced while a query runs is taken back"
