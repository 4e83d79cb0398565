"""What a context survives and reports while it lives, against DStreams."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.collecting import user_error
from tests.support.streaming.differential import DEADLINE, Recorder
from tests.support.streaming.refusals import Refusals, check_refusals

pytestmark = pytest.mark.slow

CONTEXTS = (real.StreamingContext, ours.StreamingContext)

# The zero time is then the last multiple of the interval, 2 s.
BEGIN = 2500
BATCHES = 6


# Spark's second sentence says where in the JVM the other one was started.
DIFFERENT = {"second": "Only one StreamingContext may be started in this JVM. "}


class Life:
    """One context with outputs that fail, and what is seen of it."""

    def __init__(self, make: Any, sc: SparkContext, folder: Path) -> None:
        self.make = make
        self.sc = sc
        self.folder = folder
        self.ssc = make(sc, 1)
        self.seen: list[Any] = []
        self.refusals: Refusals = {}
        self.recorder = Recorder()

    def note(self, name: str, value: Any) -> None:
        self.seen.append((name, value))

    def define(self) -> None:
        ssc = self.ssc
        stream = ssc.queueStream([["1"], ["x", "2"], ["3"], ["stop"], ["4", "5"], ["6"]])
        # Spark counts the self of a bound method as a parameter, so these are functions.
        stream.foreachRDD(lambda rdd: self.fails())
        stream.map(int).foreachRDD(self.collects("ints"))
        stream.window(2, 2).foreachRDD(self.collects("windows"))
        stream.transform(lambda rdd: self.refuses(rdd)).foreachRDD(self.collects("transformed"))
        stream.foreachRDD(lambda a, b=None: self.note("defaults count", type(a).__name__))
        stream.foreachRDD(lambda *both: self.note("star", len(both)))
        stream.map(lambda word: (word, len(word))).foreachRDD(
            lambda when, rdd: self.uses(when, rdd)
        )
        stream.foreachRDD(self.recorder.last())

    def fails(self) -> None:
        raise OSError("the database is down")

    def collects(self, name: str) -> Callable[[datetime, Any], None]:
        def collect(when: datetime, rdd: Any) -> None:
            try:
                self.note(name, (when, sorted(rdd.collect())))
            except Exception as error:
                self.note(name, (when, user_error(str(error))))

        return collect

    def refuses(self, rdd: Any) -> Any:
        if rdd.filter(lambda word: word == "stop").count():
            self.recorder.last()(datetime.fromtimestamp(6), rdd)  # nothing else of it will run
            raise LookupError("not this batch")
        return rdd

    def uses(self, when: datetime, rdd: Any) -> None:
        spark = SparkSession.builder.getOrCreate()
        rows = rdd.toDF(["word", "size"]).filter("size > 0").collect() if not rdd.isEmpty() else []
        written = self.folder / f"{when.timestamp():.0f}"
        rdd.saveAsTextFile(str(written))
        rdd.foreachPartition(lambda records: list(records))
        self.note(
            "real",
            (
                rdd.context is self.sc,
                spark.sparkContext is self.sc,
                rdd.getNumPartitions(),
                sorted(tuple(row) for row in rows),
                sorted(path.name for path in written.glob("part-*")),
                rdd.sortByKey().first() if rows else None,
            ),
        )

    def live(self) -> list[Any]:
        ssc, make = self.ssc, self.make
        self.define()
        stream = ssc.queueStream([["late"]])
        clock = ManualClock(ssc)
        clock.advance(BEGIN / 1000)
        assert make.getActive() is None
        assert ssc.awaitTerminationOrTimeout(0) is False
        try:
            ssc.start()
            ssc.start()
            self.ask("active", lambda: make.getActive() is ssc)
            self.ask("active by its name", lambda: make._activeContext is ssc)
            self.ask("again", lambda: make.getActiveOrCreate(None, lambda: pytest.fail("made")))
            other = make(self.sc, 1)
            other.queueStream([[1]]).pprint()
            self.ask("second", other.start)
            self.ask("window", lambda: stream.window(2))
            self.ask("output", lambda: stream.pprint())
            self.ask("source", lambda: ssc.queueStream([[1]]))
            for number in range(1, BATCHES + 1):
                clock.advance(1)
                self.recorder.wait(BEGIN // 1000 + number)
            self.ask_for_errors()
            self.ask("active", lambda: make.getActive() is ssc)
        finally:
            ssc.stop(stopSparkContext=False)
        ssc.stop(False, True)
        ssc.stop(stopGraceFully=False, stopSparkContext=False)
        self.ask_for_errors()
        self.ask("active", lambda: make.getActive())
        self.ask("active by its name", lambda: make._activeContext)
        self.ask("restart", ssc.start)
        self.ask("window of a stopped one", lambda: stream.window(2))
        self.ask("spark", lambda: ssc._sc is ssc.sparkContext is self.sc)
        self.ask("jvm", lambda: ssc._jvm.java.lang.Math.abs(-3))
        return self.seen

    def ask(self, name: str, call: Callable[[], Any]) -> None:
        """Note that a call is refused, and how, or its result if that is plain."""
        try:
            result = call()
        except Exception as error:
            self.note(name, "refused")
            self.refusals[name] = error
        else:
            plain = result is None or isinstance(result, (bool, int))
            self.note(name, result if plain else "something")

    def ask_for_errors(self) -> None:
        """Note what waiting raises, every time it is asked."""
        for wait in (
            self.ssc.awaitTermination,
            functools.partial(self.ssc.awaitTermination, 1),
            functools.partial(self.ssc.awaitTerminationOrTimeout, 0.1),
        ):
            with pytest.raises(Exception, match="the database is down") as error:
                wait()
            self.note("error", user_error(str(error.value)))


def test_one_life(sc: SparkContext, tmp_path: Path) -> None:
    lives = [
        Life(make, sc, tmp_path / name)
        for make, name in zip(CONTEXTS, ("real", "ours"), strict=True)
    ]
    found = [life.live() for life in lives]
    assert found[1] == found[0]
    check_refusals(*(life.refusals for life in lives), DIFFERENT)
    assert set(lives[0].refusals) == {
        "second",
        "window",
        "output",
        "source",
        "restart",
        "window of a stopped one",
    }
    fired = [value[0].timestamp() for name, value in found[0] if name == "windows"]
    assert fired == [4, 8], "the zero time is 2 s; the batch of 6 s is cancelled"
    assert [value[1] for name, value in found[0] if name == "ints"][:2] == [
        [1],
        "error: ValueError: invalid literal for int() with base 10: 'x'",
    ]


def test_stop_in_another_thread_ends_the_wait(sc: SparkContext) -> None:
    found = []
    for make in CONTEXTS:
        ssc, recorder = make(sc, 1), Recorder()
        ssc.queueStream([[1]]).foreachRDD(recorder.last())
        ssc.start()
        ManualClock(ssc).advance(1)
        recorder.wait(1)
        waited = threading.Thread(target=ssc.stop, args=(False, True))
        before = ssc.awaitTerminationOrTimeout(0.1)
        waited.start()
        # A graceful stop ends at an interval, which a manual clock has to come to.
        deadline = time.monotonic() + DEADLINE
        while not ssc.awaitTerminationOrTimeout(0.2):
            assert time.monotonic() < deadline
            ManualClock(ssc).advance(1)
        waited.join(60)
        found.append((before, waited.is_alive(), ssc.awaitTermination(), ssc.awaitTermination(1)))
    assert found == [(False, False, None, None)] * 2


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (lambda: None, "takes 0 positional arguments but 2 were given"),
        (lambda time, rdd, more: None, "missing 1 required positional argument: 'more'"),
    ],
    ids=["none", "three"],
)
def test_functions_with_wrong_parameters_fail_in_the_batch(
    sc: SparkContext, output: Any, message: str
) -> None:
    for make in CONTEXTS:
        ssc, recorder = make(sc, 1), Recorder()
        stream = ssc.queueStream([["a"]])
        stream.foreachRDD(output)
        stream.foreachRDD(recorder.output("others"))
        stream.foreachRDD(recorder.last())
        ssc.start()
        ManualClock(ssc).advance(1)
        recorder.wait(1)
        with pytest.raises(Exception, match=message):
            ssc.awaitTermination(60)
        ssc.stop(False)
        assert [part for part in recorder.outcomes["others"].batches[1.0] if part] == [["a"]]


def test_a_list_may_change_once_it_is_a_stream(sc: SparkContext) -> None:
    for make in CONTEXTS:
        ssc, recorder = make(sc, 1), Recorder()
        batches: list[Any] = [["a"], ["b"]]
        ssc.queueStream(batches).foreachRDD(recorder.output("it"))
        ssc.queueStream([[]]).foreachRDD(recorder.last())
        batches.append(["late"])
        batches[0].append("late")
        batches[1] = ["late"]
        ssc.start()
        for number in (1, 2, 3):
            ManualClock(ssc).advance(1)
            recorder.wait(number)
        ssc.stop(False)
        found = recorder.outcomes["it"].batches
        assert {time: [x for part in parts for x in part] for time, parts in found.items()} == {
            1.0: ["a"],
            2.0: ["b"],
            3.0: [],
        }
