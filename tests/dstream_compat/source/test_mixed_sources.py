"""Files and queues in one graph, with idle intervals, against DStreams."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import (
    LATE,
    MIXED,
    PROMPT,
    Case,
    Outcomes,
    Recorder,
    comparable,
    steps,
)
from tests.support.streaming.files import put
from tests.support.streaming.stepwise import Run

pytestmark = pytest.mark.slow

# The order of files of one interval is undefined, so there is one at most.
TEXTS = {1: b"a b\nc\n", 2: b"", 4: b"b\n", 8: b"a\na d\n"}
RECORDS = {2: b"abcdab", 4: b"ab", 5: b"cd"}
ITEMS: list[list[Any]] = [[("a", 1)], [("ab", 2), ("b", 3), ("a", 4)], [], [("cd", 5)], [("a", 6)]]
N = 10

Streams = tuple[Any, Any, Any]
Build = Callable[[Any, Any, Any], Any]


def streams(ssc: Any, folder: Path) -> Streams:
    text = ssc.textFileStream(str(folder / "text")).flatMap(str.split)
    records = ssc.binaryRecordsStream(str(folder / "records"), 2)
    queue = ssc.queueStream([list(batch) for batch in ITEMS])
    for stream in (text, records, queue):
        # Else DStreams read an item only in intervals in which a batch wants it.
        stream.foreachRDD(lambda rdd: None)
    return (
        text.map(lambda word: (word, 1)),
        records.map(lambda record: (record.decode(), 10)),
        queue,
    )


def size(records: Any) -> Any:
    return [sum(1 for _ in records)]


def calls(new: list[int], old: Any) -> Any:
    runs, found = old or (0, 0)
    return runs + 1, found + sum(new)


def groups(stream: Any) -> Any:
    return stream.mapValues(lambda sides: [sorted(side) for side in sides])


def partitions(first: Any, second: Any) -> Any:
    counts = [first.getNumPartitions(), second.getNumPartitions()]
    return first.context.parallelize(counts, 1)


BUILDS: dict[str, Build] = {
    "text": lambda t, r, q: t.mapPartitions(size),
    "records": lambda t, r, q: r.mapPartitions(size),
    "text-union-records": lambda t, r, q: t.union(r),
    "text-union-queue": lambda t, r, q: t.union(q),
    "queue-union-text": lambda t, r, q: q.union(t).mapPartitions(size),
    "all": lambda t, r, q: t.union(r).union(q).glom(),
    "union-count": lambda t, r, q: t.union(r).count(),
    "union-reduced": lambda t, r, q: t.union(r).union(q).reduceByKey(add),
    "union-reduced-each": lambda t, r, q: t.reduceByKey(add).union(q.reduceByKey(add)),
    "join": lambda t, r, q: t.join(q),
    "leftOuterJoin": lambda t, r, q: r.leftOuterJoin(q, 3),
    "fullOuterJoin": lambda t, r, q: t.fullOuterJoin(q),
    "cogroup": lambda t, r, q: groups(t.union(r).cogroup(q)),
    "join-of-windows": lambda t, r, q: r.window(4, 2).join(q.window(2, 2)),
    "window": lambda t, r, q: t.window(3, 1),
    "window-of-union": lambda t, r, q: t.union(q).window(2, 1).mapPartitions(size),
    "window-count": lambda t, r, q: r.window(2, 1).count(),
    "union-of-windows": lambda t, r, q: t.window(2, 2).union(r.window(4, 2)).union(q.window(2, 2)),
    "countByWindow": lambda t, r, q: t.countByWindow(5, 1),
    "countByWindow-union": lambda t, r, q: r.union(q).countByWindow(3, 1),
    "inverse": lambda t, r, q: t.union(q).reduceByKeyAndWindow(add, sub, 5, 1),
    "no-inverse": lambda t, r, q: t.union(r).reduceByKeyAndWindow(add, None, 4, 2, 3),
    "state": lambda t, r, q: t.updateStateByKey(calls),
    "state-of-union": lambda t, r, q: t.union(r).union(q).updateStateByKey(calls, 3),
    "state-of-join": lambda t, r, q: (
        t.leftOuterJoin(q).mapValues(lambda both: both[1] or 0).updateStateByKey(calls)
    ),
    "join-of-states": lambda t, r, q: r.updateStateByKey(calls).join(q.updateStateByKey(calls)),
    "transformWith": lambda t, r, q: t.transformWith(partitions, q),
    "transformWith-union": lambda t, r, q: t.transformWith(lambda x, y: x.union(y), r.window(2, 1)),
}


def run(ssc: Any, folder: Path, advances: list[int]) -> Outcomes:
    recorder = Recorder()
    found = streams(ssc, folder)
    for name, build in BUILDS.items():
        build(*found).foreachRDD(recorder.output(name))
    ssc.queueStream([[]]).foreachRDD(recorder.last())
    ssc.start()
    try:
        clock, now = ManualClock(ssc), 0
        for step in advances:
            clock.advance(step)
            now += step
            recorder.wait(now)
    finally:
        ssc.stop(stopSparkContext=False)
    return recorder.outcomes


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mixed")
    for name, files in (("text", TEXTS), ("records", RECORDS)):
        (folder / name).mkdir()
        for second, content in files.items():
            put(folder / name, f"file-{second}", second - 0.5, content)
    return folder


@pytest.fixture(scope="module")
def expected(sc: SparkContext, folder: Path) -> Outcomes:
    return run(real.StreamingContext(sc, 1), folder, [1] * N)


@pytest.mark.full
@pytest.mark.parametrize("pace", [PROMPT, LATE, MIXED])
def test_same_as_dstreams(sc: SparkContext, folder: Path, expected: Outcomes, pace: str) -> None:
    got = run(ours.StreamingContext(sc, 1), folder, steps(N, pace))
    for name in BUILDS:
        case = Case(name, lambda s, _: s, [])
        assert comparable(case, got[name]) == comparable(case, expected[name]), name
    idle = {time for time, parts in expected["text"].batches.items() if not parts}
    assert idle == {2, 3, 5, 6, 7, 9, 10}, "an empty file has no partition, either"


def test_ssc_union_takes_any_sources(sc: SparkContext, folder: Path) -> None:
    refusing = real.StreamingContext(sc, 1)
    with pytest.raises(ValueError, match="should have same serializer"):
        refusing.union(refusing.textFileStream(str(folder / "text")), refusing.queueStream(ITEMS))
    with Run(sc) as run:
        lines = run.ssc.textFileStream(str(folder / "text"))
        run.keep("both", run.ssc.union(lines, run.ssc.queueStream([["item"], []])))
        run.start()
        run.advance(4)
        assert run.batches("both") == [["a b", "c", "item"], [], [], ["b"]]
