"""SIGKILL of jobs that receive: what was logged, or can be read again, is counted once."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from tests.support.streaming.broker import Broker, Publisher
from tests.support.streaming.events import LineServer
from tests.support.streaming.kinesis_server import kinesis_server
from tests.support.streaming.processes import Finished, run_job
from tests.support.streaming.recovery_log import read_log
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

FIRST, SECOND, THIRD = ["a b a", "b"], ["c a", "", "c"], ["d a"]


class Feeder:
    """Where a job receives from."""

    def __init__(
        self, address: str, ready: Callable[[], None], send: Callable[[str], None]
    ) -> None:
        self.address = address
        self.ready = ready
        self.send = send


@contextmanager
def feeder(kind: str, folder: Path) -> Iterator[Feeder]:
    """Start a server; ``ready`` waits until a job listens to it."""
    if kind == "socket":
        lines = LineServer()
        yield Feeder(str(lines.port), lines.accept, lambda text: lines.send(f"{text}\n"))
        lines.close()
    elif kind == "mqtt":
        broker = Broker(folder)
        publisher = Publisher(broker)
        subscribers = iter(range(1, 10))
        yield Feeder(
            broker.url,
            lambda: broker.await_subscriber(next(subscribers)),
            lambda text: publisher.publish("words", text),
        )
        publisher.close()
        broker.stop()
    else:
        with kinesis_server() as kinesis:
            kinesis.create("words", 2)
            shards = cycle([0, 1])
            yield Feeder(
                kinesis.url, lambda: None, lambda text: kinesis.put("words", next(shards), text)
            )


class Runs:
    """Processes of one job, one after another."""

    def __init__(
        self, folder: Path, feeder: Feeder, log: bool, name: str = "", in_tasks: bool = False
    ) -> None:
        self._folder = folder
        self._feeder = feeder
        self._log = log
        self._name = name
        self._in_tasks = in_tasks

    def run(self, steps: str, feed: dict[float, list[str]], death: float = 0.0) -> Finished:
        """Run a process; ``feed`` is what to send once there is the log of a batch (0: at once)."""
        args = [self._folder / "checkpoint", self._feeder.address, self._folder / "log"]
        args += [steps, death, str(self._log).lower(), self._name, str(self._in_tasks).lower()]
        feeding = threading.Thread(target=self._feed, args=(feed,), daemon=True)
        feeding.start()
        finished = run_job("receiving", *map(str, args))
        feeding.join(30)
        return finished

    def batches(self) -> Any:
        log = self._folder / "log"
        found = read_log(log) if log.exists() else {}
        return {time: seen for (what, time), seen in found.items() if what == "counts"}

    def _feed(self, feed: dict[float, list[str]]) -> None:
        self._feeder.ready()
        for time, texts in feed.items():
            wait_for(lambda t=time: t == 0 or t in self.batches(), f"batch {time}", 240)
            for text in texts:
                self._feeder.send(text)


def counted(*texts: list[str]) -> list[list[Any]]:
    counts = Counter(word for lines in texts for line in lines for word in line.split())
    return sorted([word, count] for word, count in counts.items())


@pytest.mark.parametrize("kind", ["socket", "mqtt", "kinesis"])
@pytest.mark.full
def test_what_was_only_received(tmp_path: Path, kind: str) -> None:
    with feeder(kind, tmp_path) as feeding:
        runs = Runs(tmp_path, feeding, log=True)
        killed = runs.run("r2,t,r3,k", {0.0: FIRST, 1.0: SECOND})
        assert killed.code == -signal.SIGKILL, killed.err[-3000:]
        assert runs.batches()[1.0][0] == counted(FIRST)
        last = runs.run("r3,t,r1,t", {0.0: [], 2.0: THIRD})
        assert last.code == 0, last.err[-3000:]
        assert "setup was called" not in last.out
    assert runs.batches()[2.0] == [counted(FIRST, SECOND)]
    assert runs.batches()[3.0] == [counted(FIRST, SECOND, THIRD)]
    left = list((tmp_path / "checkpoint").rglob("received-0/[0-9]*"))
    assert len(left) <= 1, "the log of committed batches is gone"


@pytest.mark.full
def test_broker_keeps_messages_for_a_named_client(tmp_path: Path) -> None:
    with feeder("mqtt", tmp_path) as feeding:
        runs = Runs(tmp_path, feeding, log=True, name="job")
        killed = runs.run("r2,t,r3,k", {0.0: FIRST, 1.0: SECOND})
        assert killed.code == -signal.SIGKILL, killed.err[-3000:]
        for text in THIRD:
            feeding.send(text)
        last = runs.run("m4,t", {0.0: []})
        assert last.code == 0, last.err[-3000:]
    (counts,) = runs.batches()[2.0]
    once, twice = counted(FIRST, SECOND, THIRD), counted(FIRST, SECOND, SECOND, THIRD)
    # what was logged, but not acknowledged in time, comes twice
    assert [word for word, _ in counts] == [word for word, _ in once]
    for (_, count), (_, least), (_, most) in zip(counts, once, twice, strict=True):
        assert least <= count <= most


@pytest.mark.full
def test_without_the_log_what_was_only_received_is_gone(tmp_path: Path) -> None:
    with feeder("socket", tmp_path) as feeding:
        runs = Runs(tmp_path, feeding, log=False)
        killed = runs.run("r2,t,r3,k", {0.0: FIRST, 1.0: SECOND})
        assert killed.code == -signal.SIGKILL, killed.err[-3000:]
        last = runs.run("r0,t,r1,t", {0.0: [], 2.0: THIRD})
        assert last.code == 0, last.err[-3000:]
    assert runs.batches()[3.0] == [counted(FIRST, THIRD)]


@pytest.mark.full
def test_batch_that_is_broken_off_runs_again_with_the_same_records(tmp_path: Path) -> None:
    with feeder("kinesis", tmp_path) as feeding:
        runs = Runs(tmp_path, feeding, log=False)
        killed = runs.run("r2,t,r3,t", {0.0: FIRST, 1.0: SECOND}, death=2.0)
        assert killed.code == -signal.SIGKILL, killed.err[-3000:]
        last = runs.run("r1,t,t", {0.0: THIRD})
        assert last.code == 0, last.err[-3000:]
    batches = runs.batches()
    assert batches[2.0] == [counted(FIRST, SECOND)] * 2, "the replay is identical"
    assert batches[3.0] == batches[4.0] == [counted(FIRST, SECOND, THIRD)]


def test_ranges_that_tasks_read_are_replayed(tmp_path: Path) -> None:
    earlier, later = [f"a{n % 3}" for n in range(12)], [f"a{n % 4}" for n in range(14)]
    with feeder("kinesis", tmp_path) as feeding:
        runs = Runs(tmp_path, feeding, log=False, in_tasks=True)
        killed = runs.run("p12,t,p26,t", {0.0: earlier, 1.0: later}, death=2.0)
        assert killed.code == -signal.SIGKILL, killed.err[-3000:]
        plans = [path.read_bytes() for path in tmp_path.rglob("inputs/2000")]
        assert [b"KinesisRange" in plan for plan in plans] == [True]
        assert [b"secret" in plan for plan in plans] == [False]
        last = runs.run("p27,t,t", {0.0: THIRD})
        assert last.code == 0, last.err[-3000:]
    batches = runs.batches()
    assert batches[1.0] == [counted(earlier)]
    assert batches[2.0] == [counted(earlier, later)] * 2, "the replay is identical"
    assert batches[3.0] == batches[4.0] == [counted(earlier, later, THIRD)]
