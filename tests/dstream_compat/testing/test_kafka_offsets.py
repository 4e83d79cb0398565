"""Jobs that keep their offsets in Kafka themselves run over given batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from dstream_compat.kafka import KafkaMessageAndMetadata, KafkaUtils, TopicAndPartition
from dstream_compat.testing import assert_batches_equal, run_batches
from dstream_compat.testing.batches import Batches
from dstream_compat.testing.kafka_batches import parts_of

JOB = """
import os

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition


def stored():
    if not os.path.exists("offsets"):
        return 40
    with open("offsets") as file:
        return int(file.read())


def place(message):
    return message.topic, message.partition, message.offset, message.key, message.message


def store(rdd):
    (known,) = [one for one in rdd.offsetRanges() if one.partition == 1]
    print(rdd.offsetRanges())
    with open("offsets", "w") as file:
        file.write(str(known.untilOffset))


ssc = StreamingContext(SparkContext(), 2)
begin = {TopicAndPartition("words", 1): stored(), TopicAndPartition("words", 3): 7}
messages = KafkaUtils.createDirectStream(
    ssc,
    ["words"],
    {"metadata.broker.list": "broker:9092"},
    fromOffsets=begin,
    keyDecoder=lambda key: key and key.decode().upper(),
    messageHandler=place,
)
messages.foreachRDD(store)
messages.pprint()
ssc.start()
ssc.awaitTermination()
"""
GIVEN = {"kafka:words": [["a", ["key", "b"]], [], ["c"]]}


@pytest.mark.slow
def test_a_job_that_stores_its_offsets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(engine: str) -> Batches:
        folder = tmp_path / engine
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "job.py").write_text(JOB)
        return run_batches(folder / "job.py", GIVEN, engine=engine)

    found = run("dstreams")
    assert found.of_kind("pprint")[0] == [
        [("words", 1, 40, None, "a"), ("words", 1, 41, "KEY", "b")],
        [],
        [("words", 1, 42, None, "c")],
    ]
    assert found["file offsets"] == [["42"], [], ["43"]]
    ranges = "[OffsetRange(topic: words, partition: 1, range: [{} -> {}]), {}]"
    other = "OffsetRange(topic: words, partition: 3, range: [7 -> 7])"
    assert found.of_kind("printed")[0] == [
        [ranges.format(40, 42, other)],
        [ranges.format(42, 42, other)],
        [ranges.format(42, 43, other)],
    ]
    assert_batches_equal(found, run("compat"))


def offsets_of(message: KafkaMessageAndMetadata) -> tuple[str, int]:
    return message.message, message.offset


@pytest.mark.slow
def test_a_handler_without_offsets(sc: SparkContext) -> None:
    def setup(ssc: Any) -> Any:
        return KafkaUtils.createDirectStream(ssc, ["t", "s"], {}, messageHandler=offsets_of)

    found = run_batches(setup, {"kafka:t": [["a"], ["b"]], "kafka:s": [["c"], []]})
    assert_batches_equal(found, [[("c", 0), ("a", 0)], [("b", 1)]])


@pytest.mark.slow
def test_a_query_with_offsets(sc: SparkContext) -> None:
    def setup(spark: SparkSession) -> Any:
        reader = spark.readStream.format("kafka").option("subscribe", "t,s")
        starting = '{"t": {"2": 5, "1": 40}, "s": {"0": -2}}'
        messages = reader.option("startingOffsets", starting).load()
        return messages.selectExpr("topic", "partition", "offset")

    found = run_batches(setup, {"kafka:t": [["a"], ["b"]], "kafka:s": [["c"]]}, engine="structured")
    assert [sorted(map(tuple, rows)) for rows in found.only] == [
        [("s", 0, 0), ("t", 1, 40)],
        [("t", 1, 41)],
    ]


def test_offsets_of_other_topics() -> None:
    with pytest.raises(ValueError, match=r"\['t'\] are not those of fromOffsets, \['s'\]"):
        parts_of(["t"], {TopicAndPartition("s", 0): 1})


def test_offsets_that_only_kafka_knows() -> None:
    (part,) = parts_of(["t", "t"], "group")
    assert (part.partition, part.start, part.has_records) == (0, 0, True)
