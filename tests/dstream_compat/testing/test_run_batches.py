"""A function or a job runs over given batches, and what each output gave is returned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark import RDD, SparkContext
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

import dstream_compat
from dstream_compat.exceptions import BatchFailedError
from dstream_compat.kafka import KafkaUtils
from dstream_compat.kinesis import KinesisUtils
from dstream_compat.mqtt import MQTTUtils
from dstream_compat.testing import (
    BatchesDiffer,
    ManualClock,
    RecordingError,
    RunError,
    assert_batches_equal,
    run_batches,
)

pytestmark = pytest.mark.slow

CHECKPOINTS = "spark.sql.streaming.checkpointLocation"
ENGINES = ("dstreams", "compat")
SOCKET = {"socket:9999": [["a b", "a"], [], ["c"]]}


def add(values: list[int], before: int | None) -> int:
    return sum(values) + (before or 0)


def everything(ssc: Any) -> Any:
    """Define outputs of each kind over sources of each kind."""
    words = ssc.socketTextStream("localhost", 9999).flatMap(str.split)
    files = ssc.textFileStream("/logs").map(str.upper)
    numbers = ssc.queueStream([[7]])
    ssc.checkpoint("/nowhere/checkpoint")
    totals = words.map(lambda word: (word, 1)).updateStateByKey(add)
    totals.filter(lambda pair: pair[1] > 1).pprint()
    files.union(numbers.map(str)).saveAsTextFiles("/nowhere/files")
    words.window(2, 1).transform(lambda rdd: rdd.sortBy(lambda word: word)).foreachRDD(printed)
    return {"words": words}


def printed(rdd: Any) -> None:
    print(*rdd.collect())


INPUTS = {
    **SOCKET,
    "file:/logs": [{"one": ["x", "y"], "two": []}, {}, {"three": ["z"]}],
    "queue:0": [[1, 2], [3], []],
}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_all_outputs(sc: SparkContext, engine: str) -> None:
    found = run_batches(everything, INPUTS, engine=engine, state=True)
    line = everything.__code__.co_firstlineno
    assert [(one.kind, one.ordered) for one in found.outputs] == [
        ("pprint", False),
        ("files", False),
        ("foreachRDD", True),
        ("result", False),
        ("state", False),
        ("printed", True),
    ]
    names = list(found)
    assert names[0] == f"pprint at test_run_batches.py:{line + 7}"
    assert found.outputs[1].operator == f"union at test_run_batches.py:{line + 8}"
    assert names[4] == f"state of updateStateByKey at test_run_batches.py:{line + 6}"
    assert_batches_equal(
        found,
        {
            names[0]: [[("a", 2)], [("a", 2)], [("a", 2)]],
            names[1]: [["X", "Y", "1", "2"], ["3"], ["Z"]],
            names[2]: [["a", "a", "b"], ["a", "a", "b"], ["c"]],
            "words": [["a", "b", "a"], [], ["c"]],
            names[4]: [
                [("a", 2), ("b", 1)],
                [("a", 2), ("b", 1)],
                [("a", 2), ("b", 1), ("c", 1)],
            ],
            names[5]: [["a a b"], ["a a b"], ["c"]],
        },
        order=False,
    )
    with pytest.raises(BatchesDiffer, match="batch 3, words"):
        assert_batches_equal({"words": found["words"]}, {"words": [["a", "b", "a"], [], ["d"]]})


def connectors(ssc: Any) -> Any:
    """Read the connectors that this package has."""
    direct = KafkaUtils.createDirectStream(ssc, ["words", "more"], {"metadata.broker.list": "h:1"})
    received = KafkaUtils.createStream(ssc, "zk", "group", {"words": 1}, valueDecoder=bytes.hex)
    records = KinesisUtils.createStream(ssc, "app", "clicks", "url", "region", 0, 2)
    messages = MQTTUtils.createStream(ssc, "tcp://h:1883", "rooms")
    return direct, received, records, messages


def test_connectors(sc: SparkContext) -> None:
    inputs = {
        "kafka:words": [["a", ["k", "b"]], [b""]],
        "kafka:more": [[[None, "c"]], []],
        "kinesis:clicks": [[], ["click"]],
        "mqtt:rooms": [["21.5"], []],
    }
    found = run_batches(connectors, inputs)
    expected: dict[str, list[list[Any]]] = {
        "result 1": [[(None, "a"), ("k", "b"), (None, "c")], [(None, "")]],
        "result 2": [[(None, "61"), ("k", "62")], [(None, "")]],
        "result 3": [[], ["click"]],
        "result 4": [["21.5"], []],
    }
    assert_batches_equal(found, expected)
    operators = [one.operator.partition(" at ")[0] for one in found.outputs]
    assert operators == ["createDirectStream", "createStream", "createStream", "createStream"]


def offsets_seen(ssc: Any) -> Any:
    """Show the offsets of each batch, as its own functions and those of its RDDs know them."""
    stream = KafkaUtils.createDirectStream(ssc, ["words", "more"], {"metadata.broker.list": "h:1"})
    stream.foreachRDD(lambda rdd: print(*map(offsets_of, rdd.offsetRanges()), sep="; "))
    known = stream.transform(
        lambda rdd: rdd.context.parallelize([offsets_of(one) for one in rdd.offsetRanges()])
    )
    parts = stream.transform(
        lambda rdd: rdd.mapPartitionsWithIndex(lambda number, rows: [(number, len(list(rows)))])
    )
    return {"known": known, "parts": parts}


def offsets_of(part: Any) -> str:
    return f"{part.topic}[{part.partition}] {part.fromOffset} -> {part.untilOffset}"


def test_offsets_of_kafka(sc: SparkContext) -> None:
    inputs = {"kafka:words": [["a", "b"], [], ["c"]], "kafka:more": [[], [["k", "d"]], []]}
    found = run_batches(offsets_seen, inputs)
    expected = [
        ["more[0] 0 -> 0", "words[0] 0 -> 2"],
        ["more[0] 0 -> 1", "words[0] 2 -> 2"],
        ["more[0] 1 -> 1", "words[0] 2 -> 3"],
    ]
    assert found["known"] == expected
    assert found.of_kind("printed")[0] == [["; ".join(batch)] for batch in expected]
    assert found["parts"] == [[(0, 0), (1, 2)], [(0, 1), (1, 0)], [(0, 0), (1, 1)]]


def test_what_was_replaced_is_as_before(sc: SparkContext) -> None:
    owners: list[Any] = [dstream_compat.StreamingContext, dstream_compat.DStream, KafkaUtils]
    owners += [RDD, SparkContext, DataFrame]
    before = [dict(vars(owner)) for owner in owners]
    run_batches(lambda ssc: ssc.socketTextStream("h", 9999), SOCKET)
    with pytest.raises(ZeroDivisionError):
        run_batches(lambda ssc: 1 / 0, SOCKET)
    assert [dict(vars(owner)) for owner in owners] == before


def show_words(batch: DataFrame, number: int) -> None:
    batch.distinct().orderBy("word").show()


def queries(spark: SparkSession) -> Any:
    lines = spark.readStream.format("socket").option("host", "h").option("port", 9999).load()
    words = lines.select(F.explode(F.split("value", " ")).alias("word"))
    counts = words.groupBy("word").count()
    words.writeStream.foreachBatch(show_words).start()
    return counts.orderBy("word")


def test_queries(sc: SparkContext) -> None:
    found = run_batches(queries, SOCKET, engine="structured", state=True)
    line = show_words.__code__.co_firstlineno + 1
    kinds = {one.name: (one.kind, one.ordered) for one in found.outputs}
    shown = f"show at test_run_batches.py:{line}"
    state = "state of stateStoreSave in result 1"
    assert kinds == {"result 1": ("result", True), shown: ("show", True), state: ("state", False)}
    assert_batches_equal(
        found.of_kind("state")[0],
        [[("a", 2), ("b", 1)], [("a", 2), ("b", 1)], [("a", 2), ("b", 1), ("c", 1)]],
    )
    a, b, c = Row(word="a", count=2), Row(word="b", count=1), Row(word="c", count=1)
    assert found["result 1"] == [[a, b], [], [a, b, c]]
    assert found.of_kind("show") == [[[Row(word="a"), Row(word="b")], [], [Row(word="c")]]]


def test_the_checkpoint_folder_of_a_job_is_left_alone(sc: SparkContext, tmp_path: Path) -> None:
    used: list[SparkSession] = []

    def setup(spark: SparkSession) -> DataFrame:
        used.append(spark)
        spark.conf.set(CHECKPOINTS, str(tmp_path / "checkpoint"))
        return queries(spark)

    try:
        assert run_batches(setup, SOCKET, engine="structured").of_kind("show")
    finally:
        for spark in used:
            spark.conf.unset(CHECKPOINTS)
    assert not (tmp_path / "checkpoint").exists()


def test_frames_are_compared_by_chispa(sc: SparkContext) -> None:
    spark = SparkSession(sc)

    def frame(*rows: tuple[Any, ...]) -> DataFrame:
        return spark.createDataFrame(rows, "word string, share double")

    left = frame(("a", 0.5), ("b", 2.0))
    assert_batches_equal(left, frame(("b", 2.0), ("a", 0.5)))
    assert_batches_equal(left, frame(("a", 0.5), ("b", 2.0001)), tolerance=0.01)
    assert_batches_equal(left, frame(("a", 0.5), ("b", 7.0)), ignore=["share"])
    with pytest.raises(BatchesDiffer, match=r"7\.0"):
        assert_batches_equal(left, frame(("a", 0.5), ("b", 7.0)))
    with pytest.raises(BatchesDiffer, match="a"):
        assert_batches_equal(left, frame(("b", 2.0), ("a", 0.5)), order=True)
    with pytest.raises(BatchesDiffer, match="share"):
        assert_batches_equal(left, left.drop("share"))


def failing(ssc: Any) -> None:
    ssc.socketTextStream("h", 9999).foreachRDD(lambda rdd: 1 / 0)


def read_pairs(ssc: Any) -> None:
    MQTTUtils.createPairedStream(ssc, "tcp://h:1883", ["rooms"])


def read_rates(spark: SparkSession) -> Any:
    return spark.readStream.format("rate").load()


@pytest.mark.parametrize(
    ("setup", "inputs", "engine", "error", "message"),
    [
        (failing, SOCKET, "compat", BatchFailedError, "division by zero"),
        (failing, SOCKET, "dstreams", Exception, "division by zero"),
        (
            failing,
            {"socket:1": [["a"]]},
            "compat",
            RecordingError,
            "the job reads socket:9999, which",
        ),
        (failing, {"socket:9999": []}, "compat", RecordingError, "there is no batch"),
        (failing, SOCKET, "flink", ValueError, "engine='flink' is not one of"),
        (read_pairs, SOCKET, "compat", RecordingError, "createPairedStream cannot read"),
        (read_rates, SOCKET, "structured", RecordingError, "the job reads rate:"),
        (lambda ssc: 1, SOCKET, "compat", RunError, "setup returned 1, which is not a stream"),
        (lambda ssc: None, SOCKET, "compat", RunError, "without streams"),
        (lambda spark: 1, SOCKET, "structured", RunError, "1, which is not a streaming DataFrame"),
    ],
)
def test_wrong_use(
    sc: SparkContext,
    setup: Callable[[Any], Any],
    inputs: Any,
    engine: str,
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        run_batches(setup, inputs, engine=engine)


def test_a_job_file_that_fails(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text("raise KeyError('no such setting')\n")
    with pytest.raises(RunError, match=r"(?s)job\.py has failed: .*no such setting"):
        run_batches(job, SOCKET)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_manual_clock(sc: SparkContext, engine: str) -> None:
    if engine == "compat":
        ssc: Any = dstream_compat.StreamingContext(sc, 2)
    else:
        from pyspark.streaming import StreamingContext

        ssc = StreamingContext(sc, 2)
    seen: list[float] = []
    ssc.queueStream([[1], [2]]).foreachRDD(lambda time, rdd: seen.append(time.timestamp()))
    clock = ManualClock(ssc)
    assert clock.now() == 0
    ssc.start()
    try:
        clock.advance(4)
        clock.advance_to(4.5)
        assert clock.now() == 4.5
        clock.advance_to(3)
        assert clock.now() == 4.5, "time does not go back"
        while len(seen) < 2:
            ssc.awaitTerminationOrTimeout(0.01)
    finally:
        ssc.stop(False)
    assert seen == [2, 4]


def function_of_state(ssc: Any) -> None:
    """Give a function the state itself, which Spark's DStreams keep by themselves."""
    ssc.checkpoint("/nowhere/checkpoint")
    words = ssc.socketTextStream("localhost", 9999).flatMap(str.split)
    words.map(lambda word: (word, 1)).updateStateByKey(add).foreachRDD(printed)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_function_of_the_state(sc: SparkContext, engine: str) -> None:
    found = run_batches(function_of_state, SOCKET, engine=engine, batches=1)
    assert sorted(found[next(iter(found))][0]) == [("a", 2), ("b", 1)]
