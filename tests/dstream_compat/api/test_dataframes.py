"""The two ways across to Structured Streaming."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from chispa import assert_df_equality
from pyspark import SparkContext
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.functions import col, window

from benchmarks.harness.processes import tree
from dstream_compat import DStream
from dstream_compat.exceptions import BatchFailedError, StreamingStateError
from tests.support.streaming.dataframe_fixtures import *  # noqa: F403
from tests.support.streaming.dataframe_fixtures import Folder
from tests.support.streaming.stepwise import Run

pytestmark = pytest.mark.slow


def test_rows_are_records(sc: SparkContext, spark: SparkSession, folder: Folder) -> None:
    with Run(sc) as run:
        stream = DStream.from_dataframe(folder.frame(spark).select("word", "number"))
        run.keep("rows", stream)
        run.keep("sums", stream.map(lambda r: (r.word, r.number)).reduceByKey(lambda a, b: a + b))
        sums = stream.map(lambda r: (r.word, r.number or 0))
        total = sums.updateStateByKey(lambda new, old: (old or 0) + sum(new))
        run.keep("total", total)
        run.start()
        folder.put((1, "a", 1), (1, "b", 2))
        run.advance()
        run.advance()
        folder.put((1, "a", 10), (1, "a", 5))
        run.advance()
        assert run.batches("rows") == [
            [Row(word="a", number=1), Row(word="b", number=2)],
            [],
            [Row(word="a", number=10), Row(word="a", number=5)],
        ]
        assert run.batches("sums") == [[("a", 1), ("b", 2)], [], [("a", 15)]]
        assert run.batches("total")[2] == [("a", 16), ("b", 2)]


def test_rows_go_to_the_interval_of_a_column(
    sc: SparkContext, spark: SparkSession, folder: Folder
) -> None:
    with Run(sc) as run:
        timed = DStream.from_dataframe(folder.frame(spark), run.ssc, "at")
        plain = DStream.from_dataframe(folder.frame(spark), run.ssc)
        run.keep("timed", timed.map(lambda row: row.word))
        run.keep("plain", plain.map(lambda row: row.word))
        run.start()
        folder.put((0.2, "a", 1), (1.5, "b", None), (99, "z", 3))
        run.advance(3)
        assert run.batches("timed") == [["a"], ["b"], ["z"]]
        assert run.batches("plain") == [[], [], ["a", "b", "z"]]


def test_watermarks_pass_through(sc: SparkContext, spark: SparkSession, folder: Folder) -> None:
    counted = (
        folder.frame(spark)
        .withWatermark("at", "2 seconds")
        .groupBy(window(col("at"), "10 seconds"))
        .count()
        .select(col("window.start").cast("long").alias("start"), "count")
    )
    with Run(sc) as run:
        run.keep("counts", DStream.from_dataframe(counted).map(tuple))
        run.start()
        folder.put((1, "a", 1), (9, "b", 1))
        run.advance()
        folder.put((15, "c", 1))  # moves the watermark to 13
        run.advance()
        run.advance()  # Spark drops late rows by the watermark of the batch before
        folder.put((3, "late", 1), (40, "d", 1))
        run.advance()
        run.advance()
        found = [pair for batch in run.batches("counts") for pair in batch]
        assert found == [(0, 2), (10, 1)], run.batches("counts")


def test_batches_as_a_dataframe(sc: SparkContext, spark: SparkSession, tmp_path: Path) -> None:
    schema = "word string, number int"
    handed = tmp_path / "handed"
    with Run(sc) as run:
        source = run.ssc.queueStream([[("a", 1), ("b", 2)], [], [("c", None)]])
        frame = source.to_dataframe(schema, str(handed))
        words = source.map(lambda pair: pair[0]).to_dataframe("word string")
        assert frame.isStreaming
        run.start()
        for _ in range(3):
            run.advance()
    assert sorted(p.name for p in handed.glob("[!.]*")) == [
        "batch-1000.parquet",
        "batch-3000.parquet",
    ]
    assert_df_equality(
        everything(frame, "handed", tmp_path),
        spark.createDataFrame([("a", 1), ("b", 2), ("c", None)], schema),
        ignore_row_order=True,
    )
    assert_df_equality(
        everything(words, "words", tmp_path),
        spark.createDataFrame([("a",), ("b",), ("c",)], "word string"),
        ignore_row_order=True,
    )


def everything(frame: DataFrame, name: str, folder: Path) -> DataFrame:
    """Return all rows that a streaming DataFrame has now."""
    query = (
        frame.writeStream.format("memory")
        .queryName(name)
        .option("checkpointLocation", str(folder / f"checkpoint-{name}"))
        .trigger(availableNow=True)
        .start()
    )
    assert query.awaitTermination(300)
    return frame.sparkSession.table(name)


def test_there_and_back_again(
    sc: SparkContext, spark: SparkSession, folder: Folder, tmp_path: Path
) -> None:
    with Run(sc) as run:
        words = DStream.from_dataframe(folder.frame(spark)).map(lambda row: (row.word, row.number))
        frame = words.to_dataframe("word string, number int")
        run.start()
        folder.put((1, "ä", 1))
        run.advance()
        assert everything(frame, "again", tmp_path).collect() == [Row(word="ä", number=1)]


def test_a_record_that_does_not_fit_fails_its_batch(
    sc: SparkContext, spark: SparkSession, tmp_path: Path
) -> None:
    with Run(sc) as run:
        source = run.ssc.queueStream([["no number"], [2]])
        frame = source.to_dataframe("number int")
        run.start()
        run.advance()
        with pytest.raises(BatchFailedError, match="to_dataframe"):
            run.ssc.awaitTerminationOrTimeout(60)
        run.advance()
        assert everything(frame, "fits", tmp_path).collect() == [Row(number=2)]


def test_wrong_arguments(sc: SparkContext, spark: SparkSession, folder: Folder) -> None:
    with Run(sc) as run:
        with pytest.raises(ValueError, match="that is not streaming"):
            DStream.from_dataframe(spark.range(1), run.ssc)
        with pytest.raises(ValueError, match="'word' of timestamps"):
            DStream.from_dataframe(folder.frame(spark), run.ssc, "word")
        local = folder.frame(spark).selectExpr("timestamp_ntz'2026-11-22 12:00:00' AS day")
        with pytest.raises(ValueError, match=r"'day'.*no time zone.*cast\('timestamp'\)"):
            DStream.from_dataframe(local, run.ssc, "day")
    with pytest.raises(StreamingStateError, match="needs a StreamingContext"):
        DStream.from_dataframe(folder.frame(spark))


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("size", [1, 1_000_000])
def test_rdds_of_the_batch_before(
    sc: SparkContext, spark: SparkSession, folder: Folder, cached: bool, size: int
) -> None:
    """The driver has small ones."""
    kept: list[Any] = []

    def new_words(rdd: Any) -> Any:
        words = rdd.map(lambda row: row.word)
        if cached:
            words.cache().count()
        kept.append(words)
        return words.subtract(kept[-2]) if len(kept) > 1 else words

    a, b, c = ("a" * size, "b" * size, "c" * size)
    with Run(sc) as run:
        stream = DStream.from_dataframe(folder.frame(spark))
        run.keep("new", stream.transform(new_words))
        run.start()
        folder.put((1, a, 1), (1, b, 1))
        run.advance()
        folder.put((2, b, 1), (2, c, 1))
        run.advance()
        if cached or size == 1:
            assert run.batches("new") == [[a, b], [c]]
        else:
            with pytest.raises(BatchFailedError, match=r"outside of that batch.*call cache\(\)"):
                run.ssc.awaitTermination(1)


def test_a_killed_planner_is_replaced(
    sc: SparkContext, spark: SparkSession, folder: Folder
) -> None:
    """Spark's process that plans our source dies: the batch is planned again, nothing is lost."""
    with Run(sc) as run:
        counts = DStream.from_dataframe(folder.frame(spark)).map(lambda row: ("sum", row.number))
        run.keep("totals", counts.updateStateByKey(lambda new, old: sum(new) + (old or 0)))
        run.start()
        for number in range(1, 7):
            folder.put((number, "a", number))
            if number == 4:
                planners = own_processes(b"python_streaming_source_runner")
                assert planners
                for pid in planners:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            run.advance()
        assert run.batches("totals") == [[("sum", n)] for n in (1, 3, 6, 10, 15, 21)]


def own_processes(argument: bytes) -> list[int]:
    """Return the processes of this one that were started with an argument such as this."""
    own = []
    for pid in tree(os.getpid()):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            if argument in Path(f"/proc/{pid}/cmdline").read_bytes():
                own.append(pid)
    return own


def test_a_source_that_has_nothing_yet(
    sc: SparkContext, spark: SparkSession, folder: Folder
) -> None:
    with Run(sc) as run:
        run.keep("words", DStream.from_dataframe(folder.frame(spark)).map(lambda row: row.word))
        run.start()
        run.advance()
        folder.put((1, "a", 1))
        run.advance()
        assert run.batches("words") == [[], ["a"]]


def test_frames_of_several_sources(sc: SparkContext, spark: SparkSession, tmp_path: Path) -> None:
    folders = [Folder(tmp_path / str(number)) for number in range(3)]
    frames = [folder.frame(spark).select("word") for folder in folders]
    joined = frames[0].union(frames[1]).union(frames[0])
    with Run(sc) as run:
        run.keep("three", DStream.from_dataframe(joined).map(lambda row: row.word))
        run.keep("one", DStream.from_dataframe(frames[2]).map(lambda row: row.word))
        run.start()
        for second in range(3):
            for number, folder in enumerate(folders):
                folder.put((1, f"{number}{second}", 1))
            run.advance()
        assert run.batches("three") == [[f"0{s}", f"0{s}", f"1{s}"] for s in range(3)]
        assert run.batches("one") == [[f"2{s}"] for s in range(3)]
