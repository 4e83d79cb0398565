"""The RDDs that user functions get are real: their methods give what they give in Spark's."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext, StorageLevel
from pyspark.sql import SparkSession

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder

pytestmark = pytest.mark.slow

add = operator.add


def pairs(rdd: Any) -> Any:
    return rdd.map(lambda word: (word, len(word)))


def table(rdd: Any) -> Any:
    SparkSession.builder.getOrCreate()
    return sorted(map(tuple, pairs(rdd).toDF(["word", "size"]).groupBy("word").count().collect()))


def cached(rdd: Any) -> Any:
    level = rdd.persist(StorageLevel.MEMORY_ONLY).getStorageLevel()
    found = rdd.is_cached, str(level), rdd.count(), rdd.count()
    rdd.unpersist()
    return found


def checkpointed(rdd: Any) -> Any:
    mapped = rdd.map(len)
    mapped.checkpoint()
    found = sorted(mapped.collect())
    return found, mapped.isCheckpointed()


def counted(rdd: Any) -> Any:
    counter = rdd.context.accumulator(0)
    rdd.foreach(lambda word: counter.add(len(word)))
    rdd.foreachPartition(lambda words: counter.add(1000))
    return counter.value


def looked_up(rdd: Any) -> Any:
    sizes = rdd.context.broadcast({"a": 1})
    return rdd.map(lambda word: sizes.value.get(word, 0)).sum()


def pickled(rdd: Any, folder: Path) -> Any:
    rdd.saveAsPickleFile(str(folder))
    return sorted(rdd.context.pickleFile(str(folder)).collect())


METHODS: dict[str, Callable[[Any, Path], Any]] = {
    "aggregate": lambda r, _: r.aggregate(0, lambda n, w: n + len(w), add),
    "aggregateByKey": lambda r, _: sorted(pairs(r).aggregateByKey(0, add, add).collect()),
    "cartesian": lambda r, _: sorted(r.cartesian(r).collect()),
    "cartesian-other": lambda r, _: sorted(r.cartesian(r.context.parallelize([1, 2])).collect()),
    "checkpoint": lambda r, _: checkpointed(r),
    "coalesce": lambda r, _: [len(part) for part in r.coalesce(1).glom().collect()],
    "cogroup": lambda r, _: [
        len(v[0]) for _, v in pairs(r).cogroup(pairs(r)).sortByKey().collect()
    ],
    "collectAsMap": lambda r, _: pairs(r).collectAsMap(),
    "context": lambda r, _: r.context is r.ctx is SparkContext._active_spark_context,
    "count": lambda r, _: r.count(),
    "countApprox": lambda r, _: r.countApprox(10_000),
    "countByValue": lambda r, _: sorted(r.countByValue().items()),
    "distinct": lambda r, _: sorted(r.distinct().collect()),
    "filter": lambda r, _: sorted(r.filter(lambda w: w > "a").collect()),
    "first": lambda r, _: r.first(),
    "flatMap": lambda r, _: sorted(r.flatMap(list).collect()),
    "fold": lambda r, _: sorted(r.fold("", add)),
    "foreach": lambda r, _: counted(r),
    "broadcast": lambda r, _: looked_up(r),
    "getNumPartitions": lambda r, _: r.getNumPartitions(),
    "glom": lambda r, _: [sorted(part) for part in r.glom().collect()],
    "groupBy": lambda r, _: sorted((k, sorted(v)) for k, v in r.groupBy(len).collect()),
    "intersection": lambda r, _: r.intersection(r.context.parallelize(["a"])).collect(),
    "isEmpty": lambda r, _: r.isEmpty(),
    "join": lambda r, _: sorted(pairs(r).join(r.context.parallelize([("a", 5)])).collect()),
    "keyBy": lambda r, _: sorted(r.keyBy(len).collect()),
    "localCheckpoint": lambda r, _: r.map(len).localCheckpoint(),
    "lookup": lambda r, _: pairs(r).lookup("a"),
    "mapPartitionsWithIndex": lambda r, _: r.mapPartitionsWithIndex(lambda i, w: [i]).collect(),
    "max": lambda r, _: r.max(),
    "partitionBy": lambda r, _: pairs(r).partitionBy(3).map(lambda kv: kv[0]).glom().collect(),
    "persist": lambda r, _: cached(r),
    "pipe": lambda r, _: sorted(r.pipe("cat").collect()),
    "reduce": lambda r, _: r.map(len).reduce(add),
    "repartition": lambda r, _: (r.repartition(4).getNumPartitions(), r.repartition(4).count()),
    "sample": lambda r, _: sorted(r.sample(False, 1.0).collect()),
    "saveAsPickleFile": pickled,
    "saveAsTextFile": lambda r, folder: r.saveAsTextFile(str(folder)),
    "setName": lambda r, _: r.setName("words").name(),
    "sortBy": lambda r, _: r.sortBy(lambda w: w, ascending=False).collect(),
    "stats": lambda r, _: r.map(len).stats().asDict(),
    "subtract": lambda r, _: sorted(r.subtract(r.context.parallelize(["a"])).collect()),
    "take": lambda r, _: len(r.take(2)),
    "takeOrdered": lambda r, _: r.takeOrdered(2),
    "takeSample": lambda r, _: sorted(r.takeSample(False, 100, 1)),
    "toDF": lambda r, _: table(r),
    "toLocalIterator": lambda r, _: sorted(r.toLocalIterator()),
    "top": lambda r, _: r.top(2),
    "treeReduce": lambda r, _: sorted(r.treeReduce(add)),
    "union": lambda r, _: sorted(r.union(r.context.parallelize(["z"])).union(r).collect()),
    "union-of-context": lambda r, _: sorted(r.context.union([r, r.map(str.upper), r]).collect()),
    "zip": lambda r, _: sorted(r.zip(r).collect()),
    "zip-other": lambda r, _: sorted(r.zip(r.map(len)).collect()),
    "zipWithIndex": lambda r, _: [i for _, i in r.zipWithIndex().collect()],
    "zipWithUniqueId": lambda r, _: len(set(r.zipWithUniqueId().values().collect())),
}

_SEQUENCES = "SequenceFileOutputFormat"
_TYPES = {
    "keyClass": "org.apache.hadoop.io.Text",
    "valueClass": "org.apache.hadoop.io.IntWritable",
}


def written(rdd: Any, folder: Path) -> Any:
    """What a writer of Hadoop's has left."""
    return sorted(rdd.context.sequenceFile(str(folder)).collect())


def sequences(rdd: Any, folder: Path) -> Any:
    rdd.saveAsSequenceFile(str(folder))
    return written(rdd, folder)


def old_writer(rdd: Any, folder: Path) -> Any:
    rdd.saveAsHadoopFile(str(folder), f"org.apache.hadoop.mapred.{_SEQUENCES}", **_TYPES)
    return written(rdd, folder)


def new_writer(rdd: Any, folder: Path) -> Any:
    writer = f"org.apache.hadoop.mapreduce.lib.output.{_SEQUENCES}"
    rdd.saveAsNewAPIHadoopFile(str(folder), writer, **_TYPES)
    return written(rdd, folder)


def any_sink(rdd: Any, folder: Path) -> Any:
    """As jobs write to HBase or Elasticsearch."""
    rdd.saveAsNewAPIHadoopDataset(
        conf={
            "mapreduce.job.outputformat.class": (
                f"org.apache.hadoop.mapreduce.lib.output.{_SEQUENCES}"
            ),
            "mapreduce.job.output.key.class": _TYPES["keyClass"],
            "mapreduce.job.output.value.class": _TYPES["valueClass"],
            "mapreduce.output.fileoutputformat.outputdir": str(folder),
        }
    )
    return written(rdd, folder)


PAIR_METHODS: dict[str, Callable[[Any, Path], Any]] = {
    "combineByKey": lambda r, _: sorted(r.combineByKey(str, add, add).mapValues(len).collect()),
    "countApproxDistinct": lambda r, _: r.countApproxDistinct(0.01),
    "countByKey": lambda r, _: sorted(r.countByKey().items()),
    "groupWith": lambda r, _: sorted((k, [len(v) for v in s]) for k, s in r.groupWith(r).collect()),
    "histogram": lambda r, _: r.values().histogram([0, 1, 2, 5]),
    "keys": lambda r, _: sorted(r.keys().collect()),
    "repartitionAndSortWithinPartitions": lambda r, _: (
        r.repartitionAndSortWithinPartitions(3).glom().collect()
    ),
    "saveAsHadoopFile": old_writer,
    "saveAsNewAPIHadoopDataset": any_sink,
    "saveAsNewAPIHadoopFile": new_writer,
    "saveAsSequenceFile": sequences,
    "subtractByKey": lambda r, _: sorted(r.subtractByKey(r.filter(lambda kv: kv[1] > 1)).collect()),
    "sumApprox": lambda r, _: r.values().sumApprox(10_000),
}

WORDS = ["a", "bb", "a", "żółć", "b"]
LONG = [letter * 30_000 for letter in "abcab"]
STREAMS: dict[str, Callable[[Any], Any]] = {
    "source": lambda words: words,
    "pairs": lambda words: words.map(lambda word: (word, len(word))),
    "one-partition": lambda words: words.repartition(1),
    "shuffled": lambda words: words.map(lambda w: (w, 1)).partitionBy(5).map(lambda kv: kv[0]),
    "united": lambda words: words.union(words.map(str.upper)),
    "long": lambda words: words.window(2).filter(lambda w: len(w) > 100),
}
if not os.environ.get("DSTREAM_COMPAT_FULL"):
    for _name in ("one-partition", "shuffled"):
        del STREAMS[_name]


def methods_of(stream: str) -> dict[str, Callable[[Any, Path], Any]]:
    return PAIR_METHODS if stream == "pairs" else METHODS


def run(make: Any, sc: SparkContext, folder: Path) -> dict[str, Any]:
    """Call every method on the RDD of each stream's second batch."""
    ssc, recorder = make(sc, 1), Recorder()
    words = ssc.queueStream([LONG, WORDS])
    found: dict[str, Any] = {}

    def call_all(stream: str) -> Callable[[Any, Any], None]:
        def call(time: Any, rdd: Any) -> None:
            if time.timestamp() < 2:
                return
            for name, method in methods_of(stream).items():
                try:
                    found[f"{stream}.{name}"] = method(rdd, folder / stream / name)
                except Exception as error:
                    found[f"{stream}.{name}"] = f"failed: {str(error)[:2000]}"

        return call

    for name, define in STREAMS.items():
        define(words).foreachRDD(call_all(name))
    words.foreachRDD(recorder.last())
    ssc.start()
    try:
        clock = ManualClock(ssc)
        for number in (1, 2):
            clock.advance(1)
            recorder.wait(number)
    finally:
        ssc.stop(stopSparkContext=False)
    return found


@pytest.fixture(scope="module")
def results(
    sc: SparkContext, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("rdds")
    return (
        run(real.StreamingContext, sc, folder / "real"),
        run(ours.StreamingContext, sc, folder / "ours"),
    )


CASES = [(stream, method) for stream in STREAMS for method in methods_of(stream)]


@pytest.mark.parametrize(("stream", "method"), CASES, ids="-".join)
def test_same_as_dstreams(
    results: tuple[dict[str, Any], dict[str, Any]], stream: str, method: str
) -> None:
    expected, found = (result[f"{stream}.{method}"] for result in results)
    assert not str(expected).startswith("failed"), "the test itself is wrong"
    assert found == expected
