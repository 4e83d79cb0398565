"""Servers of tasks, through which they read what only the JVM can."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.source.task_servers import TaskServers
from dstream_compat.wire.frames import ERROR, FIXED, LINES, Frame, decode, unpack
from dstream_compat.worker.reading.entries import (
    FixedFile,
    HadoopFile,
    Partition,
    TextFile,
    read_entries,
)
from dstream_compat.worker.reading.remote import RemoteReader
from dstream_compat.worker.reading.splits import Split
from tests.support.streaming.file_runs import elsewhere

pytestmark = pytest.mark.slow

__all__ = ["elsewhere"]

LINE_ENDS = b"\xef\xbb\xbfone\ntwo\r\nthree\rfour\n\n\r\r\nfive\n\rsix" + b"7" * 70_000 + b"\rend"


def in_task(sc: SparkContext, function: Callable[[RemoteReader], Iterable[Any]]) -> list[Any]:
    """Return what a function gives in a task that has a server."""

    def run(addresses: Iterable[str]) -> Iterator[Any]:
        (address,) = addresses
        with closing(RemoteReader(address)) as reader:
            yield from function(reader)

    return TaskServers(sc).one_task().mapPartitions(run).collect()


def frames_of(sc: SparkContext, files: list[HadoopFile]) -> list[Frame]:
    entries = [Partition(1, 1000, number, (file,)) for number, file in enumerate(files)]
    return [unpack(frame) for frame in in_task(sc, lambda reader: read_entries(entries, reader))]


def records(frames: Iterable[Frame]) -> list[list[Any]]:
    """Return the records of each partition that has some."""
    parts: dict[tuple[int, ...], list[Any]] = {}
    for frame in frames:
        if frame.kind in (LINES, FIXED):
            parts.setdefault(tuple(frame.src), []).extend(decode(frame))
    return list(parts.values())


def test_each_line_is_in_the_split_in_which_it_starts(
    sc: SparkContext, tmp_path: Path, elsewhere: Callable[[Path], str]
) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "a"
    path.write_bytes(LINE_ENDS)
    size = len(LINE_ENDS)
    splits = []
    for cut in (*range(1, 50), 65_535, 65_536, 70_036, *range(size - 6, size)):
        splits += [Split(0, cut), Split(cut, size, last=True)]
    url = f"{elsewhere(tmp_path / 'in')}/a"
    found = frames_of(sc, [HadoopFile(url, None, split) for split in splits])
    local = [Partition(1, 1000, n, (TextFile(str(path), s),)) for n, s in enumerate(splits)]
    assert records(found) == records(map(unpack, read_entries(local)))
    fixed = frames_of(sc, [HadoopFile(url, 2, Split(4, 4 + 70_000))])
    part = Partition(1, 1000, 0, (FixedFile(str(path), 2, Split(4, 4 + 70_000)),))
    assert records(fixed) == records(map(unpack, read_entries([part])))


def test_a_file_that_cannot_be_read_is_an_error_of_its_own(
    sc: SparkContext, tmp_path: Path, elsewhere: Callable[[Path], str]
) -> None:
    (tmp_path / "in").mkdir()
    url = elsewhere(tmp_path / "in")
    for name in ("a", "b", "c"):
        (tmp_path / "in" / name).write_bytes(name.encode() * 10 + b"\n")
    packed = gzip.compress(bytes(range(256)) * 10_000)
    (tmp_path / "in" / "half.gz").write_bytes(packed[: len(packed) // 2] + b"?" * 3_000_000)
    names = ("a", "none", "b", "half.gz", "c")
    files = [HadoopFile(f"{url}/{name}", None) for name in names]
    files.insert(1, HadoopFile("unknown://host/a", None))
    files.append(HadoopFile(f"{url}/a", None))
    found = frames_of(sc, files)
    whole = [lines for lines in records(found) if len(lines) == 1]
    assert whole == [["aaaaaaaaaa"], ["bbbbbbbbbb"], ["cccccccccc"], ["aaaaaaaaaa"]]
    errors = [bytes(frame.payload) for frame in found if frame.kind == ERROR]
    assert [text in error for text, error in zip(TEXTS, errors, strict=True)] == [True] * 3


TEXTS = (b'No FileSystem for scheme "unknown"', b"FileNotFoundError", b"damaged")


def test_only_the_task_is_served_and_only_while_it_runs(sc: SparkContext, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("secret")

    def ask(reader: RemoteReader) -> Iterator[Any]:
        host, port, token = (reader._address or "").split()
        other = RemoteReader(f"{host} {port} {'0' * len(token)}")
        try:
            with other.open(f"file:{tmp_path}/a"):
                yield "was served"
        except OSError as error:
            yield str(error)
        with reader.open(f"file:{tmp_path}/a") as stream:
            yield stream.read().decode()
        yield int(port)

    refused, content, port = in_task(sc, ask)
    assert "closed" in refused or "reset" in refused or "Broken pipe" in refused
    assert content == "secret"
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 60)


def test_who_does_not_know_the_token_delays_nobody(sc: SparkContext, tmp_path: Path) -> None:
    """A process of another user may connect before the task does, say nothing, and stay."""
    (tmp_path / "a").write_text("content")

    def ask(reader: RemoteReader) -> Iterator[Any]:
        host, port, _ = (reader._address or "").split()
        others = [socket.create_connection((host, int(port)), 60) for _ in range(20)]
        others[0].sendall(b"half of a token")
        begun = time.monotonic()
        with reader.open(f"file:{tmp_path}/a") as stream:
            yield stream.read().decode()
        # each of them is waited for 10 s
        yield time.monotonic() - begun < 10 * len(others)
        # these are hung up on, and not kept for as long as the task runs
        for other in others:
            other.settimeout(300)
            yield other.recv(1)

    assert in_task(sc, ask) == ["content", True, *[b""] * 20]


def test_only_so_many_who_do_not_know_the_token(sc: SparkContext, tmp_path: Path) -> None:
    """Each has a thread: the oldest are hung up on at once, not after 10 s."""
    (tmp_path / "a").write_text("content")

    def ask(reader: RemoteReader) -> Iterator[Any]:
        host, port, _ = (reader._address or "").split()
        begun = time.monotonic()
        others = [socket.create_connection((host, int(port)), 60) for _ in range(100)]
        for other in others[:36]:
            other.settimeout(300)
            yield other.recv(1)
        yield time.monotonic() - begun < 10
        with reader.open(f"file:{tmp_path}/a") as stream:
            yield stream.read().decode()

    assert in_task(sc, ask) == [*[b""] * 36, True, "content"]


def test_without_a_server() -> None:
    local = pytest.raises(OSError, match="hdfs:/a: all folders of the job are local")
    with local, RemoteReader(None).open("hdfs:/a"):
        pass
