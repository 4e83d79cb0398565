"""What the tables of a query are told, with stand-ins for Spark's objects."""

from __future__ import annotations

from typing import Any

import pytest

from dstream_compat.batch import table_ranges as announce
from dstream_compat.batch.table_ranges import RangeAnnouncer
from dstream_compat.wire.frames import Intervals


class Scala(list[Any]):
    """A sequence of Scala."""

    def size(self) -> int:
        return len(self)

    def apply(self, number: int) -> Any:
        return self[number]


class Option:
    """An offset of Spark that may not be there."""

    def __init__(self, json: str | None) -> None:
        self._json = json

    def isDefined(self) -> bool:
        return self._json is not None

    def get(self) -> Any:
        return self

    def json(self) -> str | None:
        return self._json


class Execution:
    """Spark's query: where its sources are, by their names."""

    def __init__(self, **offsets: str | None) -> None:
        self.names = Scala(["ours", *offsets])
        self.offsets = offsets

    def streamingQuery(self) -> Execution:
        return self

    def sources(self) -> Scala:
        return self.names

    def availableOffsets(self) -> Any:
        return {name: Option(json) for name, json in self.offsets.items()}

    committedOffsets = availableOffsets

    def lastExecution(self) -> Any:
        return self

    def executedPlan(self) -> Any:
        return self

    def collectLeaves(self) -> Scala:
        return Scala()


class Table:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.commits: list[str] = []
        self.closed = 0

    def ranges(self, stream: Any) -> Any:
        return {"start": stream.start, "end": stream.end}

    def note_commit(self, end: str) -> None:
        self.commits.append(end)

    def close(self) -> None:
        self.closed += 1


INTERVALS = Intervals(0, 1000, 0, 1000)


class Scheduler:
    most = 20


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What tasks are told, micro-batch by micro-batch."""
    found: list[Any] = []
    monkeypatch.setattr(
        announce, "set_table_ranges", lambda sc, clock, ranges: found.append(list(ranges))
    )
    return found


def announcer(*tables: Table) -> RangeAnnouncer:
    return RangeAnnouncer(None, tables, Scheduler())  # type: ignore[arg-type]


def test_what_is_committed(told: list[Any]) -> None:
    table = Table()
    one = announcer(table)
    one.take_query(Execution(kafka="10"), [1])
    one.announce(INTERVALS)
    assert table.commits == []
    one.announce(INTERVALS)
    assert table.commits == ["10"], "a micro-batch begins when the one before is durable"
    one.close()
    assert table.commits == ["10", "10"]
    assert table.closed == 1
    assert told == [[{"start": "10", "end": "10"}]] * 2


def test_what_failed_is_not_committed(told: list[Any]) -> None:
    """Spark gave up on a micro-batch; the query that is started again runs it again."""
    table = Table()
    one = announcer(table)
    one.take_query(Execution(kafka="10"), [1])
    one.announce(INTERVALS)
    one.take_query(Execution(kafka="10"), [1])
    one.announce(INTERVALS)
    assert table.commits == []
    one.announce(INTERVALS)
    assert table.commits == ["10"]


def test_a_source_without_anything_yet(told: list[Any]) -> None:
    table = Table()
    one = announcer(table)
    one.take_query(Execution(files=None), [1])
    one.announce(INTERVALS)
    one.announce(INTERVALS)
    one.close()
    assert table.commits == []
    assert told == [[{"start": None, "end": None}]] * 2


def test_a_table_of_two_sources_in_front(told: list[Any]) -> None:
    frame, kafka = Table(), Table()
    one = announcer(frame, kafka)
    one.take_query(Execution(a="1", b="2", kafka="3"), [2, 1])
    one.announce(INTERVALS)
    one.announce(INTERVALS)
    assert (frame.commits, kafka.commits) == ([], ["3"])
    assert told[0] == [{"start": None, "end": None}, {"start": "3", "end": "3"}]


def test_a_plan_that_is_not_understood(told: list[Any]) -> None:
    one = announcer(Table())
    one.take_query(Execution(a="1", b="2"), [1])
    with pytest.raises(RuntimeError, match="Spark reads 3 sources, not 2"):
        one.announce(INTERVALS)
