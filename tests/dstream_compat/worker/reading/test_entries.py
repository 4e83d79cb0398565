"""What tasks read waits for them in files: by the number of their micro-batch, for a while."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyspark import SparkContext

from dstream_compat.intervals.scheduler import Task
from dstream_compat.source.entry_files import EntryFiles
from dstream_compat.source.task_servers import TaskServers
from dstream_compat.wire.frames import RECORDS, Intervals, pack, pack_intervals
from dstream_compat.wire.task_properties import _ENTRIES, set_batch_number
from dstream_compat.worker.reading.entries import (
    Chunk,
    HadoopFile,
    InitialPart,
    Partition,
    read_entries,
)
from dstream_compat.worker.reading.entry_place import KEPT, EntryPlace
from dstream_compat.worker.reading.remote import RemoteReader

INTERVALS = Intervals(0, 1000, 0, 1000)
RECORD = pack(RECORDS, 1, 1, (0,), b"a record", count=1)


def tasks(number: int) -> list[Task]:
    return [[b"clock"], [Partition(1, number, 0, (Chunk(RECORDS, 1, b"x" * 3_000_000),))]]


@pytest.fixture(params=["beside", "served"])
def files(sc: SparkContext, request: pytest.FixtureRequest) -> Iterator[EntryFiles]:
    """Entries of tasks on the driver's machine, or of those that Spark's file server gives them."""
    found = EntryFiles(sc, 2, TaskServers(sc) if request.param == "served" else None)
    yield found
    found.close()
    assert not os.path.exists(found.place.folder)


def read(sc: SparkContext, place: EntryPlace, number: int) -> list[Task]:
    """Return what the tasks of a micro-batch read, as one task finds it."""

    def run(addresses: Iterable[str]) -> Iterator[Task]:
        (address,) = addresses
        with closing(RemoteReader(address)) as reader:
            for task in range(place.slots):
                yield place.read(number, task, reader)

    return TaskServers(sc).one_task().mapPartitions(run).collect()


@pytest.mark.slow
def test_tasks_find_what_they_read(sc: SparkContext, files: EntryFiles) -> None:
    for number in range(1, 4):
        files.write(number, tasks(number))
    for number in (2, 3):
        assert read(sc, files.place, number) == tasks(number)


@pytest.mark.slow
def test_what_is_too_old_is_refused(sc: SparkContext, files: EntryFiles) -> None:
    for number in range(1, KEPT + 3):
        files.write(number, [[RECORD], []])
    assert len(list(Path(files.place.folder).iterdir())) == 2 * KEPT
    assert read(sc, files.place, 3) == [[RECORD], []]
    with pytest.raises(Exception, match=r"micro-batch 2 has read is no longer known.*cache"):
        read(sc, files.place, 2)


@pytest.mark.slow
def test_a_micro_batch_that_runs_again_replaces_its_files(
    sc: SparkContext, files: EntryFiles
) -> None:
    files.write(1, tasks(1))
    files.write(1, tasks(1))
    for number in range(2, KEPT + 1):
        files.write(number, [[], []])
    assert read(sc, files.place, 1) == tasks(1)


@pytest.fixture
def nowhere(sc: SparkContext) -> Iterator[EntryFiles]:
    """Entries that no task can ask for."""
    found = EntryFiles(sc, 2)
    found.place = found.place._replace(url="spark://nowhere.invalid:1/a-secret")
    yield found
    found.close()


@pytest.mark.slow
def test_on_a_cluster_small_entries_travel_in_tasks(sc: SparkContext, nowhere: EntryFiles) -> None:
    paths = [HadoopFile(f"hdfs:/part-{number}", None) for number in range(1_000)]
    small: list[Task] = [[pack_intervals(INTERVALS, 0)], [Partition(1, 1, 0, tuple(paths))]]

    def read_in(number: int) -> list[Task]:
        set_batch_number(sc, number)
        return read(sc, nowhere.place, number)

    nowhere.write(1, small)
    assert read_in(1) == small
    with pytest.raises(Exception, match=r"nowhere.invalid") as caught:
        read_in(2)
    assert "a-secret" not in str(caught.value)
    nowhere.write(3, tasks(3))
    with pytest.raises(Exception, match=r"nowhere.invalid"):
        read_in(3)  # large ones do not
    nowhere.write(4, small)
    assert read_in(4) == small
    nowhere.clear()
    with pytest.raises(Exception, match=r"nowhere.invalid"):
        read_in(4)  # later jobs of the thread are the user's


@pytest.mark.parametrize(
    "secret",
    [
        RECORD,
        Partition(1, 1, 0, (Chunk(RECORDS, 1, b"a record"),)),
    ],
)
def test_records_and_keys_stay_out_of_sparks_log(
    sc: SparkContext, nowhere: EntryFiles, secret: Any
) -> None:
    """Its event log has the local properties of all jobs in plain text."""
    nowhere.write(1, [[pack_intervals(INTERVALS, 0)], [secret]])
    assert sc.getLocalProperty(_ENTRIES) is None


def test_queries_are_told_apart(sc: SparkContext, nowhere: EntryFiles) -> None:
    """Outputs over the RDD of one query may run in the thread of another one."""
    other = nowhere.place._replace(folder=nowhere.place.folder + "-2")
    nowhere.write(1, [[pack_intervals(INTERVALS, 0)], []])
    with pytest.raises(Exception, match=r"nowhere.invalid"):
        read(sc, other, 1)


class Gone(NamedTuple):
    """Pairs of an initial state that are nowhere."""

    by_jvm: bool = False

    def read(self, _: RemoteReader) -> Iterator[Any]:
        yield "a", 1
        raise FileNotFoundError("part-00000")


def test_an_initial_state_that_cannot_be_read_is_no_error_of_one_batch() -> None:
    with pytest.raises(FileNotFoundError, match="part-00000"):
        list(read_entries([InitialPart(1, 0, Gone())]))
