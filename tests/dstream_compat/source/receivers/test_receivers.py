"""What listeners are told about receivers and what they receive, on both engines."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.exceptions import StreamingStateError
from dstream_compat.source.rates import PIDRateEstimator
from tests.support.components.ports import closed_port
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.events import Engine, LineServer, compare, play
from tests.support.streaming.inputs import input_of

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Iterator[LineServer]:
    server = LineServer()
    yield server
    server.close()


def quiet(rdd: Any) -> None:
    """An output that does nothing."""


def receivers(events: list[Any]) -> list[Any]:
    """Return what was told but the start of the context, which receivers start beside."""
    assert [event for event in events if event[0] == "Started"] == [("Started", "wall")]
    return [event for event in events if event[0] != "Started"]


def test_receiver_whose_server_goes_and_comes(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        server = LineServer()
        engine.ssc.queueStream([[1]])
        engine.ssc.socketTextStream("127.0.0.1", server.port).foreachRDD(quiet)
        engine.ssc.start()
        engine.log.wait("ReceiverStarted")
        server.accept()
        server.hang_up()
        engine.log.wait("ReceiverStarted", 2)
        server.accept()
        engine.advance()
        engine.log.wait("BatchCompleted")
        server.close()
        with closed_port(server.port):
            engine.log.wait("ReceiverStopped", 3)
            engine.log.wait("ReceiverStarted", 4)

    expected, got = map(receivers, compare(sc, scene, "Started", "Receiver"))
    assert expected[0][0] == "ReceiverStarted"
    assert got[:6] == expected[:6]
    messages = [what["message"] for kind, what in expected if kind == "ReceiverStopped"]
    again = "Restarting receiver with delay 2000ms: "
    assert messages[:2] == [again + "Socket data stream had no more data"] * 2
    assert messages[2] == again + "Error connecting to 127.0.0.1:port"


def test_receiver_that_is_stopped(sc: SparkContext, server: LineServer) -> None:
    def scene(engine: Engine) -> None:
        engine.ssc.socketTextStream("127.0.0.1", server.port).foreachRDD(quiet)
        engine.ssc.start()
        engine.log.wait("ReceiverStarted")
        server.accept()
        engine.log.wait("Started")
        if engine.real:  # what it is told last may get lost when all is stopped
            engine.ssc._jssc.ssc().scheduler().receiverTracker().stop(False)
            engine.log.wait("ReceiverStopped")
        engine.stop()
        engine.log.wait("ReceiverStopped")

    expected, got = map(receivers, compare(sc, scene))
    assert got == expected
    assert expected[0][0] == "ReceiverStarted"
    assert expected[-1][0] == "ReceiverStopped"
    assert expected[-1][1]["message"] == "Stopped by driver"


def test_receiver_of_an_unknown_host(sc: SparkContext) -> None:
    def scene(engine: Engine) -> None:
        engine.ssc.socketTextStream("no-such-host.invalid", 9).foreachRDD(quiet)
        engine.ssc.start()
        engine.log.wait("Started")
        engine.log.wait("ReceiverStopped")

    expected, got = map(receivers, compare(sc, scene))
    assert got[:2] == expected[:2]
    assert [kind for kind, _ in expected[:2]] == ["ReceiverStarted", "ReceiverStopped"]
    assert expected[1][1]["message"] == "Error starting receiver 0"


def test_lines_of_a_socket_are_counted(sc: SparkContext, server: LineServer) -> None:
    def scene(engine: Engine) -> None:
        source = engine.ssc.socketTextStream("127.0.0.1", server.port)
        source.foreachRDD(quiet)
        engine.ssc.start()
        server.accept()
        server.send("a\nb\n\nc\n")
        received(input_of(source), 4)
        engine.advance()
        engine.log.wait("BatchCompleted")
        engine.run(2)

    log = play(sc, scene, ours)
    told = [(what["batch"], what["records"]) for _, what in log.events("BatchSubmitted")]
    assert told[:2] == [(1000, 4), (2000, 0)]
    ended = log.events("BatchCompleted")[0][1]
    assert (ended["records"], ended["inputs"]) == (4, {0: (0, 4, {}, None)})


class Measured(ours.StreamingListener):
    """Feeds an estimator of its own with what listeners are told."""

    def __init__(self) -> None:
        self.estimator = PIDRateEstimator(1000)
        self.rates: list[float | None] = []

    def onBatchCompleted(self, event: Any) -> None:
        info = event.batchInfo()
        end, delays = info.processingEndTime(), (info.processingDelay(), info.schedulingDelay())
        self.rates.append(self.estimator.compute(end, info.numRecords(), *delays))


def test_backpressure_moves_the_limit(
    sc: SparkContext, server: LineServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf = sc.getConf().set("spark.streaming.backpressure.enabled", "true")
    monkeypatch.setattr(sc, "_conf", conf)
    measured = Measured()
    sources: list[Any] = []

    def scene(engine: Engine) -> None:
        stream = engine.ssc.socketTextStream("127.0.0.1", server.port)
        stream.foreachRDD(quiet)
        engine.ssc.addStreamingListener(measured)
        engine.ssc.start()
        sources.append(input_of(stream))
        server.accept()
        assert sources[0]._limit.current() is None
        for number in range(1, 4):
            server.send("line\n" * 100)
            received(sources[0], 100)
            engine.advance()
            engine.log.wait("BatchCompleted", number)

    play(sc, scene, ours)
    assert measured.rates[0] is None, "the first batch is measured only"
    assert measured.rates[-1] is not None
    assert sources[0]._limit.current() == int(measured.rates[-1])


def test_log_needs_a_checkpoint_folder(
    sc: SparkContext, server: LineServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    conf = sc.getConf().set("spark.streaming.receiver.writeAheadLog.enable", "true")
    monkeypatch.setattr(sc, "_conf", conf)
    ssc = ours.StreamingContext(sc, 1)
    ssc.socketTextStream("127.0.0.1", server.port).foreachRDD(quiet)
    with pytest.raises(StreamingStateError, match="Cannot enable receiver write-ahead log without"):
        ssc.start()
    no_receiver = ours.StreamingContext(sc, 1)
    no_receiver.queueStream([[1]]).foreachRDD(quiet)
    no_receiver.start()
    no_receiver.stop(stopSparkContext=False)


def test_problem_of_a_receiver_is_told(sc: SparkContext, server: LineServer) -> None:
    def scene(engine: Engine) -> None:
        stream = engine.ssc.socketTextStream("127.0.0.1", server.port)
        stream.foreachRDD(quiet)
        engine.ssc.start()
        server.accept()
        input_of(stream)._report_log_error(OSError("No space left on device"))
        engine.log.wait("ReceiverError")

    ((_, told),) = play(sc, scene, ours).events("ReceiverError")
    assert told["name"] == "SocketReceiver-0"
    assert told["active"]
    assert told["message"] == "Error in block pushing thread"
    assert told["error"]


def received(source: Any, count: int) -> None:
    """Wait until so many lines have arrived."""
    done = threading.Event()
    deadline = threading.Timer(DEADLINE, done.set)
    deadline.start()
    try:
        while source.count_received() < count:
            assert not done.wait(0.01), "the lines did not arrive"
    finally:
        deadline.cancel()
