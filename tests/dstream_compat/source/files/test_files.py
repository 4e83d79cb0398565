"""Watched folders: patterns, file systems that only the JVM knows, many files, odd ones."""

from __future__ import annotations

import gzip
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.source.files.listing import _recent_in_hadoop
from dstream_compat.source.files.source import FileSource
from dstream_compat.source.task_servers import TaskServers
from dstream_compat.testing import ManualClock
from dstream_compat.wire.frames import ERROR, RECORDS, Frame, decode, unpack
from dstream_compat.worker.reading.entries import Partition, TextFile, read_entries
from dstream_compat.worker.reading.remote import RemoteReader
from dstream_compat.worker.reading.splits import Split
from tests.support.streaming.differential import Recorder
from tests.support.streaming.file_runs import (
    both,
    run,
)
from tests.support.streaming.files import flat, put
from tests.support.streaming.inputs import opened

pytestmark = pytest.mark.slow

Make = Callable[[Path, Any], tuple[Any, Any]]


PATTERNS = {
    "star": ("in*", ["in1", "in2"]),
    "question mark": ("in?", ["in1", "in2"]),
    "choice": ("{in1,other}", ["in1", "other"]),
    "class": ("in[13-9]", ["in1"]),
    "not": ("in[^1]", ["in2"]),
    "in the middle": ("*/deep", ["nested"]),
    "nothing": ("no*", []),
    "escaped": ("in\\?", []),
    "wrong": ("in\\1", []),
}


@pytest.mark.parametrize("case", PATTERNS)
def test_patterns_same_as_dstreams(sc: SparkContext, tmp_path: Path, case: str) -> None:
    pattern, expected = PATTERNS[case]

    def script(root: Path) -> tuple[str, list[Callable[[], None]]]:
        def begin() -> None:
            for name in ("in1", "in2", "other", "nested/deep"):
                (root / name).mkdir(parents=True)
                put(root / name, "a.txt", 0.5, name.encode())
            put(root, "in3", 0.6, b"a file that matches\n")

        def later() -> None:
            # the same name in another folder is another file
            put(root / "in1", "b.txt", 1.5, b"later")
            put(root / "in2", "b.txt", 1.5, b"later")

        return f"{root}/{pattern}", [begin, later]

    found = both(sc, tmp_path, script)
    assert [name.partition("/")[0] for name in found[0]] == expected


def test_a_file_instead_of_a_folder(
    sc: SparkContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def script(root: Path) -> tuple[str, list[Callable[[], None]]]:
        put(root, "a.txt", 0.5, b"x\n")
        return f"{root}/a.txt", [lambda: None]

    assert both(sc, tmp_path, script) == [[]]
    assert "only a folder can be watched" in caplog.text


def test_compressed_records_fail_as_with_dstreams(sc: SparkContext, tmp_path: Path) -> None:
    for make in (real.StreamingContext, StreamingContext):
        folder = tmp_path / make.__module__
        folder.mkdir()
        put(folder, "a.gz", 0.5, gzip.compress(b"abcdef"))
        ssc: Any = make(sc, 1)
        recorder = run(ssc, str(folder), [lambda: None], binary=True)
        assert "compressed files" in recorder.outcomes["records"].batches[1.0]


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_another_file_system_same_as_dstreams(
    sc: SparkContext, tmp_path: Path, elsewhere: Callable[[Path], str], binary: bool
) -> None:
    large = b"".join(b"%08d\n" % number for number in range(300_000))

    def script(root: Path) -> tuple[str, list[Callable[[], None]]]:
        def begin() -> None:
            put(root, "one", 0.5, b"abc\ndefgh\r\nij\nk"[: 15 if binary else None])
            put(root, ".hidden", 0.6, b"xyz")
            if not binary:
                put(root, "two.gz", 0.7, gzip.compress("ż\nó".encode()))

        def later() -> None:
            put(root, "one", 1.5, b"seen already\n")
            put(root, "large", 1.6, large)
            (root / "sub").mkdir()
            put(root / "sub", "x", 1.5, b"below\n")
            os.utime(root / "sub", (1.7, 1.7))

        return elsewhere(root), [begin, later, lambda: None]

    found = both(sc, tmp_path, script, binary)
    assert [len(batch) for batch in found] == ([5, 900_002, 0] if binary else [6, 300_001, 0])


def test_a_file_that_vanishes_fails_its_batch_only(
    sc: SparkContext, tmp_path: Path, elsewhere: Callable[[Path], str]
) -> None:
    ssc = StreamingContext(sc, 1)
    folder = tmp_path / "in"
    folder.mkdir()
    path = elsewhere(folder)
    source = opened(FileSource(path, 0, None, 60_000))
    put(folder, "a", 0.5, b"1\n")
    put(folder, "b", 0.6, b"2\n")
    (parts,) = source.plan(sc, [1000]).values()
    (folder / "a").unlink()
    frames = read_in_task(
        sc, [Partition(1, 1000, number, items) for number, items in enumerate(parts)]
    )
    assert frames[0].kind == ERROR
    assert b"FileNotFoundError" in bytes(frames[0].payload)
    assert [decode(f) for f in frames[1:] if f.kind != RECORDS] == [["2"]]
    ssc.stop(stopSparkContext=False)


def read_in_task(sc: SparkContext, entries: list[Any]) -> list[Frame]:
    """Return the frames of entries that a task reads, with a server of its own."""

    def read(addresses: Iterable[str]) -> Iterator[bytes]:
        (address,) = addresses
        with closing(RemoteReader(address)) as reader:
            yield from read_entries(entries, reader)

    return [unpack(frame) for frame in TaskServers(sc).one_task().mapPartitions(read).collect()]


OLD_PLAN = (
    b"\x80\x05\x95\xe4\x00\x00\x00\x00\x00\x00\x00]\x94\x8c%dstream_compat.worker.reading.entries\x94"
    b"\x8c\nRemoteFile\x94\x93\x94(\x8c\x17viewfs://elsewhere/in/a\x94N"
    b"\x8c$dstream_compat.worker.reading.remote\x94\x8c\x07Address\x94\x93\x94\x8c\t127.0.0.1\x94"
    b"K\x01C\x05token\x94\x87\x94\x81\x94\x8c$dstream_compat.worker.reading.splits\x94\x8c\x05Split"
    b"\x94\x93\x94K\x00K\x02\x88\x87\x94\x81\x94t\x94R\x94\x85\x94a."
)


def test_a_plan_of_an_earlier_version(
    sc: SparkContext, tmp_path: Path, elsewhere: Callable[[Path], str]
) -> None:
    """It names the driver's server, which there was then."""
    folder = tmp_path / "in"
    folder.mkdir()
    put(folder, "a", 0.5, b"1\n")
    elsewhere(folder)
    ((file,),) = pickle.loads(OLD_PLAN)
    frames = read_in_task(sc, [Partition(1, 1000, 0, (file,))])
    assert [decode(f) for f in frames if f.kind != RECORDS] == [["1"]]


def test_listing_another_file_system(
    sc: SparkContext, tmp_path: Path, elsewhere: Callable[[Path], str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    put(folder, "a", 1.0, b"1")
    put(folder, "b; isDirectory=", 2.0, b"22")
    put(folder, "new\nline", 3.0, b"333")
    for path in (elsewhere(folder), f"file:{folder}"):
        found = _recent_in_hadoop(sc, path, 1000, 3000)
        assert sorted((e.name, e.modified, e.size) for e in found) == [
            ("b; isDirectory=", 2000, 2),
            ("new\nline", 3000, 3),
        ]
        with pytest.raises(FileNotFoundError):
            _recent_in_hadoop(sc, f"{path}/no", 0, 1)
        with pytest.raises(NotADirectoryError):
            _recent_in_hadoop(sc, f"{path}/a", 0, 1)
    assert _recent_in_hadoop(sc, f"file:{tmp_path}/in", 3000, 3000) == []


def test_many_files(sc: SparkContext, tmp_path: Path) -> None:
    """Looking into a folder with 10,000 files costs little, so does reading 2,000 small ones."""
    for number in range(10_000):
        (tmp_path / f"old{number}").touch()
        os.utime(tmp_path / f"old{number}", (1.0, 1.0))
    source = opened(FileSource(str(tmp_path), 1000, None, 60_000))
    for number in range(2_000):
        put(tmp_path, f"new{number}", 2.0, b"%d\n" % number)
    begun = time.thread_time()
    (parts,) = source.plan(sc, [2000]).values()
    assert len(parts) == 2_000
    assert source.plan(sc, [3000]) == {3000: []}
    tasks = [Partition(1, 2000, number, items) for number, items in enumerate(parts)]
    frames = [unpack(frame) for frame in read_entries(tasks)]
    records = {line for frame in frames if frame.kind != RECORDS for line in decode(frame)}
    assert records == {str(number) for number in range(2_000)}
    # ten times what it takes, for slow machines
    assert time.thread_time() - begun < 5


def test_files_that_appear_while_a_batch_runs(sc: SparkContext, tmp_path: Path) -> None:
    """They belong to the interval of their time, or to the next one if that is planned."""
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    running, go_on = threading.Event(), threading.Event()

    def stall(at: Any, rdd: Any) -> None:
        if at.timestamp() == 1.0:
            running.set()
            assert go_on.wait(600)

    lines = ssc.textFileStream(str(tmp_path))
    lines.foreachRDD(stall)
    lines.foreachRDD(recorder.output("records"))
    lines.foreachRDD(recorder.last())
    put(tmp_path, "a", 0.5, b"first\n")
    ssc.start()
    clock = ManualClock(ssc)
    try:
        clock.advance(1)
        assert running.wait(600)
        put(tmp_path, "b", 0.9, b"of the first interval, too late\n")
        put(tmp_path, "c", 1.5, b"second\n")
        clock.advance(1)
        put(tmp_path, "d", 2.5, b"third\n")
        clock.advance(1)
        go_on.set()
        recorder.wait(3)
    finally:
        go_on.set()
        ssc.stop(stopSparkContext=False)
    assert flat(recorder, "records") == [
        ["first"],
        ["of the first interval, too late", "second"],
        ["third"],
    ]


def test_local_files_are_read_by_tasks(sc: SparkContext, tmp_path: Path) -> None:
    put(tmp_path, "a", 0.5, b"1\n")
    for path in (str(tmp_path), f"file:{tmp_path}", f"file://{tmp_path}"):
        ((parts,),) = opened(FileSource(path, 0, None, 60_000)).plan(sc, [1000]).values()
        assert parts == (TextFile(str(tmp_path / "a"), Split(0, 2, last=True)),)
