"""The write-ahead log of receivers, without Spark."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.source.receivers import received_log
from dstream_compat.source.receivers.mqtt import TEXT, MQTTSource
from dstream_compat.source.receivers.received_log import ReceivedLog
from dstream_compat.storage.files import HadoopStorage, LocalStorage
from dstream_compat.storage.spool import Spool
from tests.support.streaming.broker import Broker, Publisher
from tests.support.streaming.events import LineServer
from tests.support.streaming.logged_sockets import socket_source
from tests.support.streaming.receiving import receiving
from tests.support.waiting import wait_for

CLIENT = {"compat.mqtt.clientId": "job"}
LOG = {"receiver.writeAheadLog.enable": "true", "blockInterval": "20ms"}
NAMED = {**LOG, **CLIENT}


@pytest.fixture
def server() -> Iterator[LineServer]:
    made = LineServer()
    yield made
    made.close()


def spool(folder: Path) -> Spool:
    return Spool(LocalStorage(), str(folder / "log"))


def files(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in (folder / "log").glob("[0-9]*"))


def flat(batch: list[list[Any]]) -> list[Any]:
    return [record for part in batch for record in part]


def test_logged_lines_survive_until_their_batch_is_committed(
    tmp_path: Path, server: LineServer
) -> None:
    with receiving(socket_source(server.port), LOG, spool(tmp_path)) as job:
        server.accept()
        server.send("planned\n")
        job.received(1)
        assert files(tmp_path) == [1]
        assert flat(job.batch()) == ["planned"]
        memory = pickle.loads(pickle.dumps(job.receiver.memory()))
        server.send("a\nb\n")
        job.received(2)
        server.send("c\n")
        job.received(3)
        assert len(files(tmp_path)) >= 2
    # Here the process could have been killed: nothing was committed.
    server.accept_none()
    with receiving(socket_source(server.port), LOG, spool(tmp_path), 5000, memory) as job:
        assert job.receiver.count_received() == 3
        assert 1 not in files(tmp_path), "an interval took it, and its plan is on disk"
        server.accept()
        server.send("d\n")
        job.received(4)
        first, second = job.batches(2)
        assert (flat(first), second) == (["a", "b", "c", "d"], [])
        assert len(files(tmp_path)) >= 3
        job.receiver.forget_until(5000)
        assert len(files(tmp_path)) >= 3, "their batch is not committed yet"
        job.receiver.forget_until(6000)
        assert files(tmp_path) == []
        assert job.receiver.count_received() == 0
        server.send("e\n")
        job.received(1)
        assert files(tmp_path)[0] > memory + 3, "numbers are not used again"


def test_without_the_setting_what_was_logged_is_not_forgotten(
    tmp_path: Path, server: LineServer
) -> None:
    with receiving(socket_source(server.port), LOG, spool(tmp_path)) as job:
        server.accept()
        server.send("logged\n")
        job.received(1)
    server.accept_none()
    with receiving(socket_source(server.port), {}, spool(tmp_path)) as job:
        server.accept()
        server.send("not logged\n")
        job.received(2)
        assert flat(job.batch()) == ["logged", "not logged"]
        assert job.receiver.memory() == 1
        job.receiver.forget_until(1000)
        assert files(tmp_path) == []


def test_stop_logs_what_was_received(tmp_path: Path, server: LineServer) -> None:
    slow = {**LOG, "blockInterval": "1h"}
    with receiving(socket_source(server.port), slow, spool(tmp_path)) as job:
        server.accept()
        server.send("first\n")
        job.received(1)
        server.send("within the hour\n")
        wait_for(lambda: job.receiver._log._waiting, "the line")
        job.receiver.stop_receiving()
        assert flat(job.batch()) == ["first", "within the hour"]


@pytest.mark.slow
def test_on_hadoop(sc: SparkContext, tmp_path: Path, server: LineServer) -> None:
    jsc: Any = sc._jsc
    storage = HadoopStorage(sc._jvm, jsc.hadoopConfiguration(), "file:///")
    folder = f"file://{tmp_path}/log"
    with receiving(socket_source(server.port), LOG, Spool(storage, folder)) as job:
        server.accept()
        server.send("a\nb\n")
        job.received(2)
        server.send("c\n")
        job.received(3)
    assert files(tmp_path) == [1, 2]
    server.accept_none()
    with receiving(socket_source(server.port), LOG, Spool(storage, folder)) as job:
        assert job.receiver.count_received() == 3
        assert flat(job.batch()) == ["a", "b", "c"]
        job.receiver.forget_until(1000)
        assert files(tmp_path) == []


def test_disk_that_is_full_for_a_while(
    tmp_path: Path,
    server: LineServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(received_log, "_RETRY_SECONDS", 0.02)
    monkeypatch.setattr(received_log, "_ROOM", 1)
    disk = Full(tmp_path)
    with receiving(socket_source(server.port), LOG, disk) as job:
        server.accept()
        server.send("a\n")
        wait_for(lambda: disk.refused > 2, "attempts")
        server.send("b\n")
        server.send("c\n")
        assert job.receiver.count_received() == 0
        assert len(job.receiver._log._waiting) <= 1, "what does not fit is not even read"
        disk.full = False
        job.received(3)
        assert flat(job.batch()) == ["a", "b", "c"]
    told = [event for event in job.told.events if event[0] == "error"]
    assert told == [("error", "Error in block pushing thread", "OSError: No space left on device")]
    assert caplog.text.count("received records cannot be logged: No space left") == 1


def test_disk_that_stays_full(
    tmp_path: Path,
    server: LineServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(received_log, "_RETRY_SECONDS", 0.02)
    disk = Full(tmp_path)
    with receiving(socket_source(server.port), LOG, disk) as job:
        server.accept()
        server.send("a\n")
        wait_for(lambda: disk.refused > 0, "an attempt")
    assert "1 received blocks could not be logged before the context stopped" in caplog.text
    log = job.receiver._log
    assert log is not None
    log.add("late", 4)
    assert caplog.text.count("they are lost") == 2, "nothing is lost silently"


class Full(Spool):
    """A spool whose disk is full."""

    def __init__(self, folder: Path) -> None:
        super().__init__(LocalStorage(), str(folder / "log"))
        self.full = True
        self.refused = 0

    def keep(self, hi: int, data: bytes) -> None:
        if self.full:
            self.refused += 1
            raise OSError("No space left on device")
        super().keep(hi, data)


def test_records_gather_while_a_file_is_written(tmp_path: Path) -> None:
    entered: list[tuple[int, list[Any]]] = []
    writing, go_on = threading.Event(), threading.Event()

    class Slow(Spool):
        def keep(self, hi: int, data: bytes) -> None:
            writing.set()
            assert go_on.wait(120)
            super().keep(hi, data)

    done: list[int] = []
    disk = Slow(LocalStorage(), str(tmp_path / "log"))
    log = ReceivedLog(disk, 0.0, lambda i, n: entered.append((n, i)), lambda error: None)
    log.start("test")
    log.add(0, 1, lambda: done.append(0))
    assert writing.wait(120)
    for number in range(1, 100):
        log.add(number, 1, lambda n=number: done.append(n))
    assert entered == []
    assert done == [], "nothing is acknowledged before it is on disk"
    go_on.set()
    log.close(120)
    assert entered == [(1, [0]), (2, list(range(1, 100)))]
    assert done == list(range(100))
    again = ReceivedLog(spool(tmp_path), 0.0, lambda *_: None, lambda error: None)
    assert again.recover(1) == [(2, list(range(1, 100)))]
    assert files(tmp_path) == [2]


def test_messages_are_acknowledged_when_they_are_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(received_log, "_RETRY_SECONDS", 0.02)
    broker = Broker(tmp_path)
    publisher = Publisher(broker)
    disk = Full(tmp_path)
    try:
        source = MQTTSource("mqtt", broker.url, ("words",), TEXT, 2)
        with receiving(source, NAMED, disk) as job:
            broker.await_subscriber()
            publisher.publish("words", "a", 1)
            publisher.publish("words", "b", 2)
            wait_for(lambda: disk.refused > 3, "attempts")
            assert acknowledged(broker) == 0
            disk.full = False
            job.received(2)
            wait_for(lambda: acknowledged(broker) == 2, "acknowledgements")
            for number in range(200):
                publisher.publish("words", str(number), number % 3)
            job.received(202)
            wait_for(lambda: acknowledged(broker) == 2 + 133, "acknowledgements")
            assert len(flat(job.batch())) == 202
    finally:
        publisher.close()
        broker.stop()
    with receiving(
        MQTTSource("mqtt", broker.url, ("words",), TEXT, 2), LOG, spool(tmp_path)
    ) as job:
        assert job.receiver.count_received() == 202, "no batch was committed"


def acknowledged(broker: Broker) -> int:
    """How many messages its subscriber has acknowledged."""
    subscriber = next(
        line.split(" from ")[1].split()[0]
        for line in broker.log().splitlines()
        if "Received SUBSCRIBE from" in line
    )
    kinds = f"Received PUBACK from {subscriber}", f"Received PUBCOMP from {subscriber}"
    return sum(broker.log().count(kind) for kind in kinds)
