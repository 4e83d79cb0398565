"""The scheduler of queries that read tables: Spark's planner asks it for offsets."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

from dstream_compat.clock import SettableClock
from dstream_compat.intervals.offset_scheduler import OffsetScheduler, logged_offset
from dstream_compat.source.base import Input
from dstream_compat.storage.files import LocalStorage
from dstream_compat.storage.spool import Spool
from tests.support.streaming.schedulers import Once, ticks_of


def offset_scheduler(clock: SettableClock, folder: Path, source: Input) -> OffsetScheduler:
    """Return a scheduler of a query whose checkpoint is the folder ``query``."""
    sc: Any = None
    spool = Spool(LocalStorage(), str(folder / "inputs"))
    query = (folder / "query").as_uri()
    return OffsetScheduler(
        query, sc, clock, 1000, {1: source}, list, spool, 2, 20, lambda zero: None
    )


def test_offsets_that_were_not_logged_are_offered_again(tmp_path: Path) -> None:
    clock = SettableClock()
    scheduler = offset_scheduler(clock, tmp_path, Once())
    new = scheduler.initial_offset()
    scheduler._begin(None)
    clock.advance(1_000)
    logged = scheduler.latest_offset(new)
    assert logged == {"phase": "run", "t": 1_000, "zero": 0}
    clock.advance(1_000)
    assert scheduler.latest_offset(new) == logged
    scheduler.latest_offset(logged)
    source, later = Once(), SettableClock()
    recovered = offset_scheduler(later, tmp_path, source)
    rows = [pickle.loads(row) for row in recovered.partitions(new, logged)]
    work = recovered.next(17)
    assert work is not None
    assert [divmod(row, 2) for row in rows] == [(work.number, 0), (work.number, 1)]
    assert ticks_of(work) == [1_000]
    later.advance(8_000)
    unlogged = recovered.latest_offset(logged)
    assert unlogged["t"] == 2_000, "it was spooled, so it is offered as it was"
    assert source.asked == [1_000, 2_000]
    recovered.commit(logged)
    assert recovered.latest_offset(unlogged)["t"] == 9_000


def write_log(folder: Path, number: int, offset: dict[str, Any]) -> None:
    (folder / "offsets").mkdir(exist_ok=True)
    lines = ["v1", '{"batchWatermarkMs":0}', json.dumps(offset), '{"topic":{"0":3}}']
    (folder / "offsets" / str(number)).write_text("\n".join(lines))


def test_last_logged_offset(tmp_path: Path) -> None:
    storage = LocalStorage()
    assert logged_offset(storage, str(tmp_path)) is None
    (tmp_path / "offsets").mkdir()
    assert logged_offset(storage, str(tmp_path)) is None
    for number in (8, 9, 10):
        write_log(tmp_path, number, {"phase": "run", "t": number * 1_000, "zero": 0})
    (tmp_path / "offsets" / ".11.crc").touch()
    (tmp_path / "offsets" / ".11.0b7e.tmp").touch()
    assert logged_offset(storage, f"{tmp_path}/") == {"phase": "run", "t": 10_000, "zero": 0}


def test_planner_that_is_told_no_start(tmp_path: Path) -> None:
    """As in PySpark 4.1: the same micro-batches are planned as where Spark says the start."""
    clock, folder = SettableClock(), tmp_path / "query"
    folder.mkdir()
    scheduler = offset_scheduler(clock, tmp_path, Once())
    scheduler._begin(None)
    clock.advance(1_000)
    first = scheduler.latest_offset(None)
    assert first == {"phase": "run", "t": 1_000, "zero": 0}
    clock.advance(1_000)
    assert scheduler.latest_offset(None) == first, "it was not logged"
    write_log(folder, 0, first)
    assert scheduler.latest_offset(None) == {"phase": "run", "t": 2_000, "zero": 0}


def test_where_a_query_goes_on_nothing_is_read(tmp_path: Path) -> None:
    """As PySpark 4.1 asks."""
    scheduler = offset_scheduler(SettableClock(), tmp_path, Once())
    place = {"phase": "run", "t": 3_000, "zero": 0}
    assert scheduler.partitions(place, place) == []
