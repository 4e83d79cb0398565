"""The bus and the bookkeeping behind listeners, without Spark."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from dstream_compat.clock import SettableClock
from dstream_compat.graph.nodes import Graph, OutputNode, RDDNode, SourceNode
from dstream_compat.listeners import bus as listening
from dstream_compat.listeners.bus import ListenerBus
from dstream_compat.listeners.infos import JavaOutputOperationInfo
from dstream_compat.listeners.java_values import JavaMap, ScalaList, Time
from dstream_compat.listeners.monitor import Monitor
from dstream_compat.source.queues.source import QueueSource
from dstream_compat.source.receivers.socket import SocketSource
from dstream_compat.worker.reading.entries import Chunk
from tests.support.streaming.inputs import opened

DEADLINE = 30.0


class Collector:
    """A listener that is no StreamingListener: what counts is that it has callbacks."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, Any]] = []
        self.changed = threading.Condition()

    def note(self, kind: str, info: Any) -> None:
        with self.changed:
            self.seen.append((kind, info.batchTime().milliseconds(), info))
            self.changed.notify_all()

    def onBatchSubmitted(self, event: Any) -> None:
        self.note("submitted", event.batchInfo())

    def onBatchStarted(self, event: Any) -> None:
        self.note("started", event.batchInfo())

    def onBatchCompleted(self, event: Any) -> None:
        self.note("completed", event.batchInfo())

    def onOutputOperationCompleted(self, event: Any) -> None:
        self.note("output", event.outputOperationInfo())

    def wait(self, count: int) -> list[tuple[str, int]]:
        """Wait for so many events; returns what is there then."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.seen) >= count, DEADLINE), self.seen
            return self.events()

    def wait_for(self, kind: str, time: int) -> list[tuple[str, int]]:
        """Wait for an event; returns what is there then."""
        with self.changed:
            assert self.changed.wait_for(lambda: (kind, time) in self.events(), DEADLINE), self.seen
            return self.events()

    def events(self) -> list[tuple[str, int]]:
        return [(kind, time) for kind, time, _ in self.seen]


class Setting:
    """A monitor over a graph of one socket, a queue and two outputs."""

    def __init__(self, transform: bool = False) -> None:
        self.clock = SettableClock()
        graph = Graph(1000)
        received = SourceNode(graph.next_id(), (), 1000, "socket", SocketSource("localhost", 1, 1))
        queue = SourceNode(graph.next_id(), (), 1000, "queue", QueueSource([], True, None))
        graph.inputs.update({received.id: 0, queue.id: 1})
        parent: Any = received
        if transform:
            parent = RDDNode(graph.next_id(), (received,), 1000, "transform", print)
        for slide, above in ((1000, parent), (2000, queue)):
            graph.outputs.append(OutputNode(graph.next_id(), (above,), slide, "out", print))
        self.first, self.second = graph.outputs
        self.node = received.id
        sc: Any = SimpleNamespace(_jsc=None, _conf={"spark.driver.host": "here"})
        self.bus = ListenerBus()
        self.listener = Collector()
        self.bus.add(self.listener)
        inputs = {node.id: opened(node.source) for node in (received, queue)}
        self.socket = inputs[received.id]
        self.monitor = Monitor(sc, graph, self.clock, inputs, self.bus)
        self.monitor.note_begin(0, 0)

    def plan(self, *ticks: int) -> None:
        chunks = [(Chunk(1, tick // 1000, b""),) for tick in ticks]
        inputs: Any = {
            (self.node, tick): [chunk] for tick, chunk in zip(ticks, chunks, strict=True)
        }
        self.monitor.note_plan(ticks, 0, inputs)

    def run(self, tick: int, *outputs: OutputNode, read: int = 0) -> None:
        self.monitor.begin(tick)
        self.monitor.note_prepared(tick, lambda node: read)
        for output in outputs:
            with self.monitor.follow_output(tick, output):
                pass


@pytest.fixture
def setting() -> Iterator[Setting]:
    made = Setting()
    yield made
    made.monitor.close()


@pytest.fixture
def transformed() -> Iterator[Setting]:
    made = Setting(transform=True)
    yield made
    made.monitor.close()


def test_micro_batch_of_two_intervals(setting: Setting) -> None:
    """Only sources of outputs that are due are told; what tasks read counts at the end."""
    setting.plan(1000, 2000)
    setting.run(1000, setting.first, read=5)
    setting.run(2000, setting.first, setting.second)
    assert setting.listener.wait(9) == [
        ("submitted", 1000),
        ("submitted", 2000),
        ("started", 1000),
        ("output", 1000),
        ("completed", 1000),
        ("started", 2000),
        ("output", 2000),
        ("output", 2000),
        ("completed", 2000),
    ]
    infos = {(kind, time): info for kind, time, info in setting.listener.seen}
    assert infos["submitted", 1000].numRecords() == 1
    assert infos["completed", 1000].numRecords() == 6
    assert list(infos["completed", 2000].streamIdToInputInfo()) == [0], "queues tell nothing"
    assert infos["completed", 2000].outputOperationInfos().size() == 2
    first, later = infos["completed", 1000], infos["completed", 2000]
    assert first.processingEndTime() <= later.processingStartTime()


def test_batch_that_runs_again(setting: Setting) -> None:
    """Spark gives up in the middle of a batch and runs its micro-batch again."""
    setting.plan(2000)
    setting.run(2000, setting.first)
    setting.plan(2000)
    setting.run(2000, setting.first, setting.second)
    assert setting.listener.wait(6) == [
        ("submitted", 2000),
        ("started", 2000),
        *[("output", 2000)] * 3,
        ("completed", 2000),
    ]


def test_late_batches_know_what_waits(setting: Setting) -> None:
    setting.socket._received[2000] = [(b"a\nb", 2)]
    setting.clock.advance(1000)
    setting.plan(1000)
    setting.clock.advance(1000)
    assert setting.listener.wait(3)[2] == ("submitted", 2000)
    late = setting.listener.seen[2][2]
    assert (late.numRecords(), late.processingStartTime()) == (2, -1)
    setting.run(1000, setting.first)
    setting.plan(2000)
    setting.run(2000, setting.first, setting.second)
    times = setting.listener.wait(9)
    assert times.count(("submitted", 2000)) == 1
    assert times[-1] == ("completed", 2000)


def test_cancelled_batch_is_none_unless_it_was_submitted(transformed: Setting) -> None:
    transformed.clock.advance(1000)
    transformed.plan(1000)
    transformed.monitor.note_cancelled(1000, "ValueError: no")
    transformed.plan(2000)
    transformed.clock.advance(2000)  # while the batch before it runs, one more is due
    assert transformed.listener.wait(2) == [("submitted", 2000), ("submitted", 3000)]
    transformed.monitor.note_cancelled(2000, "ValueError: no")
    assert transformed.listener.wait(6)[2:] == [
        ("started", 2000),
        *[("output", 2000)] * 2,
        ("completed", 2000),
    ]
    outputs = transformed.listener.seen[-1][2].outputOperationInfos()
    assert all("ValueError: no" in info.failureReason() for info in outputs.values())


def test_batch_of_an_earlier_process(setting: Setting) -> None:
    setting.plan(1000)
    setting.monitor.note_done(1000)
    assert setting.listener.wait(3)[-1] == ("completed", 1000)
    setting.monitor.note_done(1000)
    setting.monitor.begin(1000)
    setting.monitor.note_cancelled(1000, "nobody knows this batch any more")
    setting.plan(2000)
    assert setting.listener.wait(5)[3:] == [("submitted", 2000), ("started", 2000)]


def test_listener_that_comes_late(setting: Setting) -> None:
    late = Collector()
    setting.plan(1000)
    setting.bus.add(late)
    setting.run(1000, setting.first)
    # Whether it is told of what was posted before it came is open.
    assert late.wait_for("completed", 1000)[-3:] == [
        ("started", 1000),
        ("output", 1000),
        ("completed", 1000),
    ]


class Blocking:
    """A listener that waits in its first callback."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.release = threading.Event()
        self.calls = 0

    def onBatchStarted(self, event: Any) -> None:
        self.calls += 1
        self.entered.set()
        assert self.release.wait(DEADLINE)


def test_only_so_many_events_wait(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listening, "_CAPACITY", 3)
    bus, blocking = ListenerBus(), Blocking()
    bus.add(blocking)
    bus.post("onBatchStarted", None)
    assert blocking.entered.wait(DEADLINE)
    for _ in range(9):
        bus.post("onBatchStarted", None)
    blocking.release.set()
    bus.close()
    assert blocking.calls == 1 + 3
    assert caplog.text.count("later ones are dropped") == 1


def test_close_waits_only_so_long(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listening, "_FLUSH_SECONDS", 0.05)
    bus, blocking = ListenerBus(), Blocking()
    bus.add(blocking)
    for _ in range(3):
        bus.post("onBatchStarted", None)
    assert blocking.entered.wait(DEADLINE)
    bus.close()
    assert "2 events were not delivered" in caplog.text
    blocking.release.set()
    bus.post("onBatchStarted", None)
    bus.close()
    assert blocking.calls == 1


def test_listener_that_exits(caplog: pytest.LogCaptureFixture) -> None:
    class Exits:
        calls = 0

        def onBatchStarted(self, event: Any) -> None:
            self.calls += 1
            sys.exit("from a listener")

    bus, exits = ListenerBus(), Exits()
    bus.add(exits)
    bus.post("onBatchStarted", None)
    bus.post("onBatchStarted", None)
    bus.close()
    assert exits.calls == 2
    assert "from a listener" in caplog.text


def test_listener_added_twice_is_called_twice() -> None:
    bus, collector = ListenerBus(), Collector()
    event = SimpleNamespace(batchInfo=lambda: SimpleNamespace(batchTime=lambda: Time(7)))
    bus.add(collector)
    bus.add(collector)
    bus.post("onBatchStarted", event)
    bus.post("onReceiverStarted", event)  # it has no such callback
    bus.close()
    assert [(kind, time) for kind, time, _ in collector.seen] == [("started", 7)] * 2


def test_values_are_like_those_of_java() -> None:
    one, two = Time(1000), Time(2000)
    assert (str(one), one.milliseconds(), one.toString()) == ("1000 ms", 1000, "1000 ms")
    assert one.less(two) and one.lessEq(one) and two.greater(one) and two.greaterEq(two)
    assert one == Time(1000) and len({one, Time(1000), two}) == 2
    entries = JavaMap({1: "a"})
    assert (entries.size(), entries.isEmpty(), entries.get(2)) == (1, False, None)
    assert entries.containsKey(1) and entries.keySet() == {1} and JavaMap().isEmpty()
    assert [(entry.getKey(), entry.getValue()) for entry in entries.entrySet()] == [(1, "a")]
    files = ScalaList(("f1", "f2"))
    assert (files.size(), files.apply(1), files.mkString(";")) == (2, "f2", "f1;f2")
    assert str(files) == files.toString() == "List(f1, f2)"
    info = JavaOutputOperationInfo(1000, 0, "out", "job.py:1")
    assert str(info) == "JavaOutputOperationInfo(1000 ms,0,out,job.py:1,-1,-1,null)"
