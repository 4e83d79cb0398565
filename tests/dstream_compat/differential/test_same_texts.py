"""Text streams on DStreams and on ours, with functions on blocks of texts and without."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.settings import ALWAYS, EXECUTION, NATIVE, NEVER, ONE_TASK, STAGES
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Case, Recorder, comparable
from tests.support.streaming.files import put
from tests.support.streaming.settings import setting

pytestmark = pytest.mark.slow

FILES = (
    b"to be or not to be\n\n  that is the\tquestion  \n1 2 3",
    b"",
    "ERROR: żółć ☃ \U0001f388\r\n\x1c\u2003ERROR\u0130 k\u212a \0 \n".encode(),
    b"bytes \xff that are no text\nerror\nto be\n" + b"or not to be\n" * 3000,
    b"#\n" * 5 + b" " * 70_000 + b"to",
)

HAVE_TEXTS = (True, False, True, True)
"""Whether the micro-batches of these files have any."""


def fails_on_error(text: str) -> str:
    """Raise for some texts."""
    if text.startswith("error"):
        raise KeyError(text)
    return text


def slow_division(text: str) -> list[float]:
    """Raise for texts without digits."""
    return [1 / (len(text) - 5)]


PIPELINES: dict[str, Callable[[Any], Any]] = {
    "word-count": lambda s: (
        s.flatMap(lambda line: line.split(" "))
        .map(lambda w: (w, 1))
        .reduceByKey(lambda a, b: a + b)
    ),
    "words": lambda s: s.flatMap(lambda line: line.split()),
    "counted": lambda s: s.flatMap(lambda line: line.split()).count(),
    "count-by-value": lambda s: s.map(lambda line: line.strip()).countByValue(),
    "groups": lambda s: (
        s.flatMap(str.split).map(lambda w: (w, "v")).groupByKey().mapValues(lambda v: sorted(v))
    ),
    "filter": lambda s: s.filter(lambda line: "be" in line and not line.startswith("#")),
    "lower": lambda s: s.map(lambda line: line.lower()).filter(lambda line: "error" in line),
    "partitions": lambda s: s.filter(bool).glom(),
    "numbers": lambda s: s.flatMap(lambda line: line.split(" ")).map(len),
    "empty-batches": lambda s: s.filter(lambda line: line == "nowhere"),
    "fails": lambda s: s.filter(bool).map(fails_on_error),
    "fails-late": lambda s: s.flatMap(lambda line: line.split(" ")).flatMap(slow_division),
    "union": lambda s: s.map(lambda x: x.upper()).union(s.flatMap(lambda x: x.split("o"))),
    "transform": lambda s: s.filter(bool).transform(lambda rdd: rdd.map(len).distinct()),
    "read-twice": lambda s: (
        s.flatMap(lambda line: line.split(" "))
        .union(s.map(lambda line: line.strip()))
        .union(s)
        .countByValue()
    ),
    "fails-on-one-side": lambda s: s.map(fails_on_error).union(s.filter(bool)),
    "window": lambda s: (
        s.flatMap(lambda line: line.split(" ")).map(lambda w: (w, 1)).window(2).reduceByKey(max)
    ),
}


def outcomes(
    sc: SparkContext, folder: Path, engine: Any, names: Collection[str], ways: list[str]
) -> dict[str, Any]:
    """Run pipelines over the files; on ours the last two intervals are late."""
    recorder = Recorder()
    ssc = engine(sc, 1)
    for name in names:
        (folder / name).mkdir(parents=True)
        stream = ssc.textFileStream(str(folder / name))  # which no other pipeline reads
        PIPELINES[name](stream).foreachRDD(recorder.output(name))
    ssc.queueStream([[]]).foreachRDD(recorder.last())
    ssc.start()
    try:
        is_real = engine is real.StreamingContext
        clock = ManualClock(ssc)
        steps = [1] * len(FILES) if is_real else [1] * (len(FILES) - 2) + [2]
        now = 0
        for step in steps:
            for number in range(now, now + step):
                for name in names:
                    put(folder / name, f"{number}", number + 0.5, FILES[number])
            now += step
            clock.advance(step)
            recorder.wait(now)
            if not is_real:
                ways.append(str(ssc._job.mode))
    finally:
        ssc.stop(stopSparkContext=False)
    return {
        name: comparable(Case(name, lambda s, _: s, [], name != "transform"), found)
        for name, found in recorder.outcomes.items()
    }


@pytest.fixture(scope="module")
def on_dstreams(sc: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What DStreams give."""
    return outcomes(sc, tmp_path_factory.mktemp("real"), real.StreamingContext, PIPELINES, [])


@pytest.mark.parametrize("execution", [ONE_TASK, STAGES])
@pytest.mark.parametrize("native", [ALWAYS, NEVER])
def test_the_same_on_blocks(
    sc: SparkContext, tmp_path: Path, on_dstreams: dict[str, Any], native: str, execution: str
) -> None:
    # a window keeps state, which is never in one task
    names = PIPELINES.keys() - ({"window"} if execution == ONE_TASK else set())
    ways: list[str] = []
    with setting(sc, NATIVE.name, native), setting(sc, EXECUTION.name, execution):
        found = outcomes(sc, tmp_path, StreamingContext, names, ways)
    assert [execution in way for way in ways] == [True] * 4
    assert ["on blocks" in way for way in ways] == [native == ALWAYS and w for w in HAVE_TEXTS]
    assert found.keys() == names
    for name in names:
        assert found[name] == on_dstreams[name], name
        assert len(found[name]) == len(FILES)
    assert any("KeyError" in str(batch) for batch in found["fails"].values())
