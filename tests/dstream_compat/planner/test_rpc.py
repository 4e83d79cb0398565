"""Spark's planner asks the scheduler of the driver over a socket; without Spark."""

from __future__ import annotations

import pickle
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql.types import StructType

from dstream_compat.planner.datasource import NAME, SchedulerReader, SchedulerSource
from dstream_compat.planner.rpc import SchedulerServer


class Scheduler:
    """Answers as the driver's does, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    def initial_offset(self) -> dict[str, int]:
        return {"tick": 0}

    def latest_offset(self, start: dict[str, int] | None) -> dict[str, int]:
        self.asked.append(("latest", start))
        return {"tick": 2000}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[bytes]:
        self.asked.append(("partitions", (start, end)))
        return [pickle.dumps(7), pickle.dumps(8)]

    def commit(self, end: dict[str, int]) -> None:
        if end["tick"] < 0:
            raise ValueError("no such batch: -1")
        self.asked.append(("commit", end))


@pytest.fixture
def scheduler() -> Scheduler:
    return Scheduler()


@pytest.fixture
def server(scheduler: Scheduler) -> Iterator[SchedulerServer]:
    made = SchedulerServer(scheduler)
    yield made
    made.close()


@pytest.fixture
def reader(server: SchedulerServer) -> Any:
    source = SchedulerSource({"address": server.address})
    assert source.name() == NAME
    return source.streamReader(StructType())


def test_a_micro_batch(scheduler: Scheduler, reader: SchedulerReader) -> None:
    start = reader.initialOffset()
    end = reader.latestOffset(start)
    tasks = reader.partitions(start, end)
    assert [row for task in tasks for row in reader.read(task)] == [(7,), (8,)]
    reader.commit(end)
    assert scheduler.asked == [
        ("latest", {"tick": 0}),
        ("partitions", ({"tick": 0}, {"tick": 2000})),
        ("commit", {"tick": 2000}),
    ]


def test_an_error_of_the_scheduler_is_raised_where_it_was_asked(
    scheduler: Scheduler, reader: SchedulerReader
) -> None:
    with pytest.raises(RuntimeError, match=r"no such batch: -1\n.*Traceback"):
        reader.commit({"tick": -1})
    reader.commit({"tick": 1})
    assert scheduler.asked == [("commit", {"tick": 1})], "the line still works"


def test_several_planners_are_served(server: SchedulerServer, scheduler: Scheduler) -> None:
    readers = [SchedulerReader(server.address) for _ in range(3)]
    for number, each in enumerate(readers):
        each.commit({"tick": number})
    readers[0].commit({"tick": 3})
    assert [end["tick"] for _, end in scheduler.asked] == [0, 1, 2, 3]


def test_only_this_user_can_open_the_socket(server: SchedulerServer) -> None:
    folder = Path(server.address).parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    server.close()
    assert not folder.exists()
    server.close()


def test_long_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("deep" * 20) / ("er" * 20)
    deep.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    server = SchedulerServer(object())
    assert len(server.address) < 100
    server.close()
