"""A job's file that reads every kind of source gives the same on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from dstream_compat.testing import assert_batches_equal, run_batches
from dstream_compat.testing.batches import Batches

JOB = """
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
from pyspark.streaming.kinesis import InitialPositionInStream, KinesisUtils
from pyspark.streaming.mqtt import MQTTUtils

sc = SparkContext(appName="all sources")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
params = {"metadata.broker.list": "localhost:9092"}
latest = InitialPositionInStream.LATEST
streams = [
    ssc.socketTextStream(sys.argv[1], 9999),
    ssc.textFileStream("/incoming"),
    ssc.queueStream([]),
    KafkaUtils.createStream(ssc, "zookeeper:2181", "group", {"words": 1}),
    KafkaUtils.createDirectStream(ssc, ["pages"], params),
    KinesisUtils.createStream(ssc, "app", "clicks", "https://kinesis", "eu-west-1", latest, 2),
    MQTTUtils.createStream(ssc, "tcp://localhost:1883", "rooms"),
]


def text(record):
    return record[1] if isinstance(record, tuple) else record


def total(new, old):
    return (old or 0) + sum(new)


def save(rdd):
    count = rdd.count()
    print("records", count)
    with open("log.txt", "a") as file:
        file.write("%d\\n" % count)


# a union of DStreams needs streams of one serializer
every = ssc.union(*(stream.map(text) for stream in streams))
every.map(lambda word: (word, 1)).updateStateByKey(total).pprint()
every.foreachRDD(save)
every.saveAsTextFiles("saved/words")
ssc.start()
ssc.awaitTermination()
"""
GIVEN = {
    "socket:9999": [["a"], ["b", "a"]],
    "file:/incoming": [{"one.txt": ["c", "a"]}, {"two.txt": []}],
    "queue:0": [["d"], ["a"]],
    "kafka:words": [["e"], [["key", "a"]]],
    "kafka:pages": [[["key", "f"]], []],
    "kinesis:clicks": [["g"], ["a"]],
    "mqtt:rooms": [["h"], ["a"]],
}
FIRST = ["a", "a", "c", "d", "e", "f", "g", "h"]
SECOND = ["a", "a", "a", "a", "a", "b"]


@pytest.mark.slow
@pytest.mark.full
def test_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(engine: str) -> Batches:
        folder = tmp_path / engine
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "job.py").write_text(JOB)
        return run_batches(
            folder / "job.py", GIVEN, engine=engine, state=True, streams=True, args=["localhost"]
        )

    found = run("compat")
    counts = dict.fromkeys("bcdefgh", 1) | {"a": 2}
    totals = [
        sorted((word, count) for word, count in counts.items() if word != "b"),
        sorted((counts | {"a": 7}).items()),
    ]
    for kind in ("pprint", "state"):
        assert [sorted(batch) for batch in found.of_kind(kind)[0]] == totals
    assert [sorted(batch) for batch in found.of_kind("foreachRDD")[0]] == [FIRST, SECOND]
    assert found.of_kind("printed")[0] == [["records 8"], ["records 6"]]
    assert found["file log.txt"] == [["8"], ["6"]]
    (saved,) = (rows for name, rows in found.items() if name.startswith("saveAsTextFiles"))
    assert [sorted(batch) for batch in saved] == [FIRST, SECOND]
    # each source and its texts, the union, the pairs and their totals
    assert len(found.of_kind("stream")) == 7 + 7 + 1 + 2
    assert_batches_equal(found, run("dstreams"), order=False)
