"""Records what the listeners of either engine are told, in a form that can be compared."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable
from typing import Any

import pyspark.streaming as real
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE

WALL = 10**12
"""Milliseconds since the epoch beyond which a time is the wall clock's, not the manual clock's."""

Event = tuple[str, Any]


def moment(time: int) -> int | str:
    """A time that can be compared: that of the wall clock is only known to be there."""
    return "wall" if time > WALL else time


def output_info(info: Any) -> dict[str, Any]:
    """All that is told about an output."""
    reason = info.failureReason()
    if reason is not None:
        assert reason.startswith("org.apache.spark.SparkException: An exception was raised by")
        (reason,) = re.findall(r"^(\w+Error: .*)$", reason, re.MULTILINE)[:1]
    # What DStreams call an output says nothing of the user's program.
    assert re.search(r"^\w+ at \S+:\d+$", info.name())
    assert info.description()
    return {
        "batch": str(info.batchTime()),
        "id": info.id(),
        "times": (info.startTime(), info.endTime()),
        "failure": reason,
    }


def input_info(info: Any) -> tuple[int, int, dict[str, str], str | None]:
    """All that is told about an input stream."""
    metadata = {key: str(value) for key, value in info.metadata().items()}
    return info.inputStreamId(), info.numRecords(), metadata, info.metadataDescription()


def batch_info(info: Any) -> dict[str, Any]:
    """All that is told about a batch."""
    delays = info.schedulingDelay(), info.processingDelay(), info.totalDelay()
    if -1 not in delays:
        assert delays[0] + delays[1] == delays[2]
        assert delays[1] == info.processingEndTime() - info.processingStartTime()
    if delays[0] != -1:
        assert delays[0] == info.processingStartTime() - info.submissionTime() >= 0
    inputs, outputs = info.streamIdToInputInfo(), info.outputOperationInfos()
    assert inputs.size() == len(inputs)
    return {
        "batch": info.batchTime().milliseconds(),
        "inputs": {key: input_info(inputs[key]) for key in sorted(inputs)},
        "submitted": moment(info.submissionTime()),
        "started": moment(info.processingStartTime()),
        "ended": moment(info.processingEndTime()),
        "known": [delay != -1 for delay in delays],
        "records": info.numRecords(),
        "outputs": {key: output_info(outputs[key]) for key in sorted(outputs)},
    }


def receiver_info(info: Any) -> dict[str, Any]:
    """All that is told about a receiver; of an error's text, whether there is one."""
    return {
        "id": info.streamId(),
        "name": info.name(),
        "active": info.active(),
        "place": (info.location(), info.executorId()),
        "message": re.sub(r":\d+$", ":port", info.lastErrorMessage()),
        "error": bool(info.lastError()),
        "time": info.lastErrorTime(),
    }


class Log:
    """What a recording listener has seen."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._changed = threading.Condition()

    def add(self, kind: str, what: Any) -> None:
        with self._changed:
            self._events.append((kind, what))
            self._changed.notify_all()

    def events(self, *beginnings: str) -> list[Event]:
        """The events whose names begin so; all of them if no beginning is given."""
        with self._changed:
            return [e for e in self._events if e[0].startswith(beginnings or "")]

    def kinds(self, *beginnings: str) -> list[str]:
        return [kind for kind, _ in self.events(*beginnings)]

    def wait(self, kind: str, count: int = 1) -> None:
        """Wait until there are so many events of a kind."""

        def there() -> bool:
            return [k for k, _ in self._events].count(kind) >= count

        with self._changed:
            assert self._changed.wait_for(there, DEADLINE), (kind, count, self._events)


def recorder(base: Any, log: Log) -> Any:
    """Return a listener of either engine that records everything."""

    def at_its_start(output: dict[str, Any]) -> dict[str, Any]:
        if base is real.StreamingListener:
            # It makes the event while the output runs: one that fails at once may have failed.
            output["failure"] = None
        return output

    class Recorder(base):  # type: ignore[misc]
        def onStreamingStarted(self, event: Any) -> None:
            log.add("Started", moment(event.time()))

        def onReceiverStarted(self, event: Any) -> None:
            log.add("ReceiverStarted", receiver_info(event.receiverInfo()))

        def onReceiverError(self, event: Any) -> None:
            log.add("ReceiverError", receiver_info(event.receiverInfo()))

        def onReceiverStopped(self, event: Any) -> None:
            log.add("ReceiverStopped", receiver_info(event.receiverInfo()))

        def onBatchSubmitted(self, event: Any) -> None:
            log.add("BatchSubmitted", batch_info(event.batchInfo()))

        def onBatchStarted(self, event: Any) -> None:
            info = batch_info(event.batchInfo())
            for output in info["outputs"].values():
                at_its_start(output)
            log.add("BatchStarted", info)

        def onBatchCompleted(self, event: Any) -> None:
            log.add("BatchCompleted", batch_info(event.batchInfo()))

        def onOutputOperationStarted(self, event: Any) -> None:
            log.add("OutputStarted", at_its_start(output_info(event.outputOperationInfo())))

        def onOutputOperationCompleted(self, event: Any) -> None:
            log.add("OutputCompleted", output_info(event.outputOperationInfo()))

    return Recorder()


class Engine:
    """One of the engines, with a context that lives for one scene."""

    def __init__(self, sc: SparkContext, module: Any) -> None:
        self.real = module is real
        self.base = module.StreamingListener
        self.ssc = module.StreamingContext(sc, 1)
        self.log = Log()
        self.ssc.addStreamingListener(recorder(self.base, self.log))

    def advance(self, milliseconds: int = 1000) -> None:
        ManualClock(self.ssc).advance(milliseconds / 1000)

    def now(self) -> int:
        """Return the time in milliseconds."""
        return round(ManualClock(self.ssc).now() * 1000)

    def run(self, intervals: int) -> None:
        """Let intervals pass, each when the batch before it is complete."""
        for number in range(1, intervals + 1):
            self.advance()
            self.log.wait("BatchCompleted", number)

    def stop(self, gracefully: bool = False) -> None:
        self.ssc.stop(stopSparkContext=False, stopGraceFully=gracefully)


Scene = Callable[[Engine], None]


def play(sc: SparkContext, scene: Scene, module: Any) -> Log:
    """Play a scene on one engine."""
    engine = Engine(sc, module)
    try:
        scene(engine)
    finally:
        engine.stop()
    return engine.log


def compare(sc: SparkContext, scene: Scene, *kinds: str) -> tuple[list[Event], list[Event]]:
    """Play a scene on both engines; returns the events (of some kinds) of DStreams and of ours."""
    return play(sc, scene, real).events(*kinds), play(sc, scene, ours).events(*kinds)


class LineServer:
    """A TCP server that sends what it is told."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(DEADLINE)
        self._peer: socket.socket | None = None
        self.port = int(self._listener.getsockname()[1])

    def accept(self) -> None:
        self._peer, _ = self._listener.accept()

    def send(self, text: str) -> None:
        assert self._peer is not None
        self._peer.sendall(text.encode())

    def hang_up(self) -> None:
        if self._peer is not None:
            self._peer.close()

    def accept_none(self) -> None:
        """Forget whoever has connected so far and was not accepted."""
        self._listener.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self._listener.accept()[0].close()
        self._listener.settimeout(DEADLINE)

    def close(self) -> None:
        self.hang_up()
        self._listener.close()
