"""When a micro-batch is computed in one task: small ones whose functions are fast."""

from __future__ import annotations

from pathlib import Path

import pytest

from dstream_compat.batch.mode_chooser import MOST_PLANNED, ModeChooser, planned_bytes
from dstream_compat.intervals.scheduler import Work
from dstream_compat.settings import AUTO, ONE_TASK, STAGES
from dstream_compat.wire.frames import RECORDS, Intervals
from dstream_compat.worker.reading.entries import (
    Chunk,
    File,
    HadoopFile,
    Numbers,
    Partition,
    Pickled,
    TextFile,
)
from dstream_compat.worker.reading.splits import Split


def work(*items: Chunk | File, intervals: int = 1) -> Work:
    clock = Intervals(1000, 1000 + 1000 * intervals, 0, 1000)
    return Work(1, clock, [[b"clock"], [Partition(1, 2000, 0, items)]])


def chunk(size: int) -> Chunk:
    return Chunk(RECORDS, 1, b"x" * size)


def chooser(mode: str = AUTO, hindrance: str | None = None, spread: bool = False) -> ModeChooser:
    return ModeChooser(mode, hindrance, spread)


def test_a_small_one_takes_one_task() -> None:
    assert chooser().choose(work(chunk(100))) == (ONE_TASK, "it reads 100 bytes")
    assert chooser().choose(work()).name == ONE_TASK
    assert chooser().choose(work(chunk(MOST_PLANNED))).name == ONE_TASK
    assert chooser().choose(work(chunk(MOST_PLANNED), chunk(1))).name == STAGES


@pytest.mark.parametrize(("mode", "large"), [(ONE_TASK, True), (STAGES, False)])
def test_a_setting_forces_either(mode: str, large: bool) -> None:
    forced = chooser(mode)
    assert forced.choose(work(chunk(2 * MOST_PLANNED if large else 1))).name == mode
    forced.note(work(chunk(1)), 100.0, 1 << 30)
    assert forced.choose(work(chunk(1))).name == mode


def test_what_only_the_plan_can_do_is_done_there() -> None:
    assert chooser(ONE_TASK, "state").choose(work(chunk(1))) == (STAGES, "state")


def test_slow_functions_keep_their_parallelism() -> None:
    found = chooser()
    found.note(work(chunk(100)), 1.0, 10)
    assert found.choose(work(chunk(100))) == (STAGES, "its functions need about 1.0 s")
    assert found.choose(work(chunk(10))).name == ONE_TASK, "a tenth of them does not"
    assert found.choose(work()).name == ONE_TASK
    found.note(work(chunk(100)), 0.01, 10)
    assert found.choose(work(chunk(100))).name == ONE_TASK, "they have become faster"


def test_a_job_that_spreads_its_records_is_measured_first() -> None:
    found = chooser(spread=True)
    assert found.choose(work(chunk(100))).name == STAGES
    found.note(work(), 0.01, 10)
    assert found.choose(work()).name == ONE_TASK
    slow = chooser(spread=True)
    slow.note(work(chunk(100)), 3.0, 10)
    assert slow.choose(work(chunk(100))).name == STAGES


def test_a_large_result_is_not_tried_again_in_one_task() -> None:
    found = chooser()
    found.note(work(chunk(10)), 0.01, 5 << 20)
    assert found.choose(work(chunk(10))).name == STAGES
    found.note(work(chunk(10)), 0.01, 5 << 10)
    assert found.choose(work(chunk(10))).name == ONE_TASK


def test_the_start_of_workers_says_nothing() -> None:
    found = chooser()
    found.note(Work(0, Intervals(0, 0, 0, 1000), []), 60.0, 1 << 30)
    assert found.choose(work(chunk(10))).name == ONE_TASK


def test_planned_bytes_of_files(tmp_path: Path) -> None:
    packed = tmp_path / "a.gz"
    packed.write_bytes(b"x" * 100)
    split = TextFile("somewhere", Split(1000, 1500, last=True))
    assert planned_bytes([b"clock", Partition(1, 2, 0, (split, chunk(7)))]) == 507
    assert planned_bytes([Partition(1, 2, 0, (TextFile(str(packed)),))]) == 2000
    assert planned_bytes([Partition(1, 2, 0, (TextFile(str(tmp_path / "gone")),))]) == 0
    pickled = (Pickled((b"x" * 3, b"y" * 4)), Numbers(range(10)))
    assert planned_bytes([Partition(1, 2, 0, pickled)]) == 87
    remote = HadoopFile("hdfs://host/a.gz", None)
    assert planned_bytes([Partition(1, 2, 0, (remote,))]) > MOST_PLANNED
