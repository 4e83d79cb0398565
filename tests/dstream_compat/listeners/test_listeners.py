"""Streaming listeners: which events come, in which order, with which values, on both engines."""

from __future__ import annotations

import os
import re
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.exceptions import StreamingStateError
from dstream_compat.listeners.events import StreamingStarted
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.events import Engine, Log, compare, play, recorder

pytestmark = pytest.mark.slow


def quiet(rdd: Any) -> None:
    """An output that does nothing."""


def second(time: datetime) -> float:
    return time.timestamp()


def test_outputs_that_work_and_fail(sc: SparkContext) -> None:
    """Several outputs, a slide of two intervals, idle batches; the first or last output fails."""

    def fail_first(time: datetime, rdd: Any) -> None:
        if second(time) == 2:
            raise ValueError("the first output fails")

    def fail_last(time: datetime, rdd: Any) -> None:
        if second(time) == 3:
            raise KeyError("the last output fails")

    def scene(engine: Engine) -> None:
        queue = engine.ssc.queueStream([["1", "2"], ["3"]])
        queue.foreachRDD(fail_first)
        queue.window(2, 2).foreachRDD(quiet)
        queue.map(int).foreachRDD(quiet)
        queue.foreachRDD(fail_last)
        engine.ssc.start()
        engine.run(4)

    expected, got = compare(sc, scene)
    assert got == expected
    assert [kind for kind, _ in expected].count("BatchCompleted") == 4
    assert expected[0] == ("Started", "wall")
    failures = [what["failure"] for kind, what in expected if kind == "OutputCompleted"]
    assert sorted(filter(None, failures)) == [
        "KeyError: 'the last output fails'",
        "ValueError: the first output fails",
    ]


def test_error_in_a_worker_is_a_reason(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        engine.ssc.queueStream([["x"]]).map(int).foreachRDD(lambda rdd: print(rdd.count()))
        engine.ssc.start()
        engine.run(1)

    expected, got = compare(sc, scene)
    assert got == expected
    assert "invalid literal for int" in expected[-1][1]["outputs"][0]["failure"]


def test_batches_without_an_output_are_none(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        engine.ssc.queueStream([[1]]).window(2, 2).foreachRDD(quiet)
        engine.ssc.start()
        for number in (1, 2):
            engine.advance(2000)
            engine.log.wait("BatchCompleted", number)

    expected, got = compare(sc, scene)
    assert got == expected
    assert {what["batch"] for kind, what in expected if kind.startswith("Batch")} == {2000, 4000}


def test_late_batches_are_submitted_when_they_are_due(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        go = threading.Event()
        outputs = iter(range(9))

        def wait(rdd: Any) -> None:
            if next(outputs) == 0:
                assert go.wait(DEADLINE)

        engine.ssc.queueStream([[1]]).foreachRDD(wait)
        engine.ssc.start()
        engine.advance()
        engine.log.wait("OutputStarted")
        for number in (2, 3):
            engine.advance()
            engine.log.wait("BatchSubmitted", number)
        go.set()
        engine.log.wait("BatchCompleted", 3)

    expected, got = compare(sc, scene)
    assert got == expected
    assert [kind for kind, _ in expected][3:7] == [
        "OutputStarted",
        "BatchSubmitted",
        "BatchSubmitted",
        "OutputCompleted",
    ]


def test_batch_that_transform_cancels_is_none(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        def fail(time: datetime, rdd: Any) -> Any:
            if second(time) == 2:
                raise ValueError("no")
            return rdd

        queue = engine.ssc.queueStream([[1]])
        queue.foreachRDD(quiet)
        queue.transform(fail).foreachRDD(quiet)
        engine.ssc.start()
        engine.run(1)
        engine.advance()
        with pytest.raises(Exception, match="ValueError: no"):
            engine.ssc.awaitTerminationOrTimeout(DEADLINE)
        engine.advance()
        engine.log.wait("BatchCompleted", 2)

    expected, got = compare(sc, scene)
    assert got == expected
    assert [w["batch"] for kind, w in expected if kind == "BatchSubmitted"] == [1000, 3000]


def test_files(sc: SparkContext, tmp_path: Path) -> None:
    """DStreams do not count what is in files; ours does, once they are read."""

    def scene(engine: Engine) -> None:
        engine.ssc.queueStream([[1]])
        engine.ssc.textFileStream(str(tmp_path)).foreachRDD(quiet)
        engine.ssc.binaryRecordsStream(str(tmp_path / "binary"), 2).foreachRDD(quiet)
        engine.ssc.start()
        engine.run(2)

    for name, text in (("a", "1\n2\n"), ("b", "3"), ("binary/c", "abcdef"), ("empty", "")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        os.utime(path, (0.5, 0.5))
    expected, got = compare(sc, scene)
    completed = [what for kind, what in got if kind == "BatchCompleted"]
    assert [what["records"] for what in completed] == [6, 0]
    assert [what["inputs"][1][1] for what in completed] == [3, 0]
    for what in completed:
        what["records"] = 0
        what["inputs"] = {key: (i, 0, m, text) for key, (i, _, m, text) in what["inputs"].items()}
    assert _sorted_files(got) == _sorted_files(expected)


def _in_order(info: Any) -> Any:
    number, records, metadata, text = info
    metadata = {key: sorted(re.split("[(), \n]+", value)) for key, value in metadata.items()}
    return number, records, metadata, sorted((text or "").split("\n"))


def _sorted_files(events: list[Any]) -> list[Any]:
    """The order of files is undefined."""
    return [
        (kind, what | {"inputs": {key: _in_order(i) for key, i in what["inputs"].items()}})
        if "inputs" in what
        else (kind, what)
        for kind, what in events
        if kind != "Started"
    ]


def test_the_time_of_the_start_needs_no_call() -> None:
    """Spark's own examples leave the call out, and get something of Java that is no number."""
    event = StreamingStarted(1_700_000_000_000)
    assert event.time == event.time() == 1_700_000_000_000
    assert f"{event.time}" == str(event.time()) == "1700000000000"


def test_listeners_that_raise_and_stop(sc: SparkContext, caplog: pytest.LogCaptureFixture) -> None:
    """Neither other listeners nor batches are affected; stopping inside one is refused."""
    refused: list[str] = []

    def scene(engine: Engine) -> None:
        late = Log()

        class Raising(engine.base):  # type: ignore[name-defined, misc]
            def onBatchStarted(self, event: Any) -> None:
                raise LookupError("a listener that raises")

            def onBatchCompleted(self, event: Any) -> None:
                try:
                    engine.stop()
                except Exception as error:
                    refused.append(str(error))

        listener = Raising()
        engine.ssc.queueStream([[1]]).foreachRDD(quiet)
        engine.ssc.addStreamingListener(listener)
        engine.ssc.start()
        engine.ssc.addStreamingListener(recorder(engine.base, late))
        engine.run(2)
        late.wait("BatchCompleted", 2)

    expected, got = compare(sc, scene)
    assert got == expected
    assert all("Cannot stop StreamingContext within listener bus thread" in r for r in refused)
    assert len(refused) == 4
    assert "LookupError: a listener that raises" in caplog.text


def test_slow_listener_delays_no_batch(sc: SparkContext) -> None:
    seen = threading.Event()
    released = threading.Event()
    log = Log()

    class Slow(ours.StreamingListener):
        def onBatchSubmitted(self, event: Any) -> None:
            assert released.wait(DEADLINE)

    def output(time: datetime, rdd: Any) -> None:
        if second(time) == 2:
            seen.set()

    ssc = ours.StreamingContext(sc, 1)
    ssc.addStreamingListener(Slow())
    ssc.addStreamingListener(recorder(ours.StreamingListener, log))
    ssc.queueStream([[1]]).foreachRDD(output)
    ssc.start()
    try:
        clock = ManualClock(ssc)
        clock.advance(1)
        clock.advance(1)
        assert seen.wait(DEADLINE)
        assert log.kinds() == ["Started"]
        released.set()
        log.wait("BatchCompleted", 2)
    finally:
        released.set()
        ssc.stop(stopSparkContext=False)
    assert log.kinds().count("BatchCompleted") == 2


def test_everything_is_delivered_before_stop_returns(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        engine.ssc.queueStream([[1]]).foreachRDD(quiet)
        engine.ssc.start()
        stopper = threading.Thread(target=engine.stop, args=(True,))
        stopper.start()
        while stopper.is_alive():
            engine.advance(100)
            stopper.join(0.05)

    kinds = play(sc, scene, ours).kinds()
    assert kinds.count("BatchSubmitted") == kinds.count("BatchCompleted") >= 1


def test_what_is_no_listener(sc: SparkContext) -> None:
    ssc = ours.StreamingContext(sc, 1)
    for wrong in (None, object(), ours.StreamingListener, print):
        with pytest.raises(TypeError, match="StreamingListener is needed"):
            ssc.addStreamingListener(wrong)
    with pytest.raises(StreamingStateError, match="No output"):
        ssc.start()
    ssc.stop(stopSparkContext=False)
