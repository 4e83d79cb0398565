"""What tasks read waits for them in files: by the number of their micro-batch, for a while."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.intervals.scheduler import Task
from dstream_compat.source.entry_files import EntryFiles
from dstream_compat.source.files.server import served_at
from dstream_compat.wire.frames import RECORDS, Intervals, pack, pack_intervals
from dstream_compat.wire.task_properties import _ENTRIES, set_batch_number
from dstream_compat.worker.reading.entries import Chunk, Numbers, Partition, RemoteFile, TextFile
from dstream_compat.worker.reading.entry_place import KEPT
from dstream_compat.worker.reading.remote import Address

INTERVALS = Intervals(0, 1000, 0, 1000)


def tasks(number: int) -> list[Task]:
    return [[b"clock"], [Partition(1, number, 0, (Chunk(RECORDS, 1, b"x" * 3_000_000),))]]


@pytest.fixture
def files(sc: SparkContext) -> Iterator[EntryFiles]:
    found = EntryFiles(sc, 2)
    yield found
    found.close()
    assert not os.path.exists(found.place.folder)


@pytest.mark.parametrize("served", [False, True])
def test_tasks_find_what_they_read(files: EntryFiles, served: bool) -> None:
    """On a cluster, the driver serves it."""
    place = files.place._replace(address=served_at() if served else None)
    for number in range(1, 4):
        files.write(number, tasks(number))
    again = pickle.loads(pickle.dumps(place))
    assert again.read_all(2) == tasks(2)
    assert again.read(3, 1) == tasks(3)[1]


@pytest.mark.parametrize("served", [False, True])
def test_what_is_too_old_is_refused(files: EntryFiles, served: bool) -> None:
    place = files.place._replace(address=served_at() if served else None)
    for number in range(1, KEPT + 3):
        files.write(number, [[b"a"], []])
    assert len(list(Path(place.folder).iterdir())) == 2 * KEPT
    assert place.read(3, 0) == [b"a"]
    with pytest.raises(RuntimeError, match=r"micro-batch 2 has read is no longer known.*cache"):
        place.read(2, 0)


def test_a_micro_batch_that_runs_again_replaces_its_files(files: EntryFiles) -> None:
    files.write(1, tasks(1))
    files.write(1, tasks(1))
    for number in range(2, KEPT + 1):
        files.write(number, [[], []])
    assert files.place.read_all(1) == tasks(1)


def test_on_a_cluster_small_entries_travel_in_tasks(sc: SparkContext, files: EntryFiles) -> None:
    files.place = files.place._replace(address=Address("nowhere.invalid", 1, b"no token"))
    place = files.place
    paths = [TextFile(f"hdfs/part-{number}") for number in range(1_000)]
    small: list[Task] = [[pack_intervals(INTERVALS, 0)], [Partition(1, 1, 0, tuple(paths))]]

    def read(number: int) -> list[Task]:
        set_batch_number(sc, number)
        return sc.parallelize(range(2), 2).map(lambda task: place.read(number, task)).collect()

    files.write(1, small)
    assert read(1) == small
    with pytest.raises(Exception, match=r"driver does not answer at nowhere.invalid:1 .*filePort"):
        read(2)
    files.write(3, tasks(3))
    with pytest.raises(Exception, match="driver does not answer"):
        read(3)  # large ones do not
    files.write(4, small)
    assert read(4) == small
    files.clear()
    with pytest.raises(Exception, match="driver does not answer"):
        read(4)  # later jobs of the thread are the user's


@pytest.mark.parametrize(
    "secret",
    [
        pack(RECORDS, 1, 1, (0,), b"a record", count=1),
        Partition(1, 1, 0, (Chunk(RECORDS, 1, b"a record"),)),
        Partition(1, 1, 0, (Numbers(range(2)), RemoteFile("hdfs:/x", None, served_at()))),
    ],
)
def test_records_and_keys_stay_out_of_sparks_log(
    sc: SparkContext, files: EntryFiles, secret: Any
) -> None:
    """Its event log has the local properties of all jobs in plain text."""
    files.place = files.place._replace(address=Address("nowhere.invalid", 1, b"no token"))
    files.write(1, [[pack_intervals(INTERVALS, 0)], [secret]])
    assert sc.getLocalProperty(_ENTRIES) is None


def test_queries_are_told_apart(sc: SparkContext, files: EntryFiles) -> None:
    """Outputs over the RDD of one query may run in the thread of another one."""
    files.place = files.place._replace(address=Address("nowhere.invalid", 1, b"no token"))
    other = files.place._replace(folder=files.place.folder + "-2")
    files.write(1, [[pack_intervals(INTERVALS, 0)], []])
    with pytest.raises(Exception, match="driver does not answer"):
        sc.parallelize([0], 1).map(lambda task: other.read(1, task)).collect()
