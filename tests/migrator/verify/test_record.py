"""Batches of live sources are recorded without loss, whenever the recording ends."""

from __future__ import annotations

import bz2
import gzip
import json
import resource
import socket
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.testing.recordings import read_batches
from migrator.errors import MigrateError
from migrator.verify.live_sources import LiveFolder, LiveSocket, source
from migrator.verify.record import Masks, Recorder


class Scripted:
    """A source that gives prepared batches, and then nothing."""

    def __init__(self, *batches: Any, name: str = "socket:1") -> None:
        self.name = name
        self.batches = list(batches)
        self.problem = ""
        self.broken = 0
        self.left_out: list[str] = []
        self.opened = self.closed = False

    def open(self) -> None:
        self.opened = True

    def take(self) -> Any:
        return self.batches.pop(0) if self.batches else []

    def close(self) -> None:
        self.closed = True


class Waits:
    """Waits no time; ends the recording in one interval, after something has happened."""

    def __init__(self, ends_in: int = 10**6, then: Callable[[], None] = lambda: None) -> None:
        self.left = ends_in
        self.then = then

    def __call__(self, seconds: float) -> bool:
        self.left -= 1
        if self.left == 0:
            self.then()
        return self.left <= 0


def recorded(out: Path, *sources: Any, batches: int | None = None, ends_in: int = 10**6) -> Any:
    recorder = Recorder(sources, 2.0, out, Masks([]))
    recorder.record(batches, lambda done, records: None, Waits(ends_in))
    return read_batches(out)


def test_batches(tmp_path: Path) -> None:
    found = recorded(tmp_path, Scripted(["a", "b"], [], ["c"]), batches=3)
    assert found.interval == 2.0
    assert found.sources == {"socket:1": {}}
    assert found.batches == {1: {"socket:1": ["a", "b"]}, 2: {}, 3: {"socket:1": ["c"]}}


def test_what_has_arrived_when_it_ends_is_a_batch(tmp_path: Path) -> None:
    one = Scripted(["a"], ["late"])
    found = recorded(tmp_path, one, ends_in=2)
    assert found.batches == {1: {"socket:1": ["a"]}, 2: {"socket:1": ["late"]}}
    assert one.closed


def test_nothing_is_added_behind_the_last_batch_asked_for(tmp_path: Path) -> None:
    assert recorded(tmp_path, Scripted(["a"], ["b"]), batches=1).length == 1


def test_several_sources(tmp_path: Path) -> None:
    files = Scripted({"x.txt": ["1"]}, name="file:/in")
    found = recorded(tmp_path, Scripted(["a"]), files, batches=1)
    assert found.batches == {1: {"socket:1": ["a"], "file:/in": {"x.txt": ["1"]}}}


def test_each_batch_is_in_the_file_at_once(tmp_path: Path) -> None:
    seen = []
    recorder = Recorder([Scripted(["a"], ["b"])], 1.0, tmp_path, Masks([]))

    def progress(done: int, records: int) -> None:
        seen.append((done, records, read_batches(tmp_path).length))

    recorder.record(2, progress, Waits())
    assert seen == [(1, 1, 1), (2, 2, 2)]


def test_masks_are_applied_before_anything_is_written(tmp_path: Path) -> None:
    sources = [Scripted(["ann /a"]), Scripted({"f": ["bob /b"]}, name="file:/in")]
    Recorder(sources, 1.0, tmp_path, Masks(["0"])).record(1, lambda done, records: None, Waits())
    text = (tmp_path / "batches.jsonl").read_text()
    assert "ann" not in text
    assert "bob" not in text
    assert "/a" in text


def test_a_recording_is_never_written_over(tmp_path: Path) -> None:
    recorded(tmp_path, Scripted(["a"]), batches=1)
    before = (tmp_path / "batches.jsonl").read_bytes()
    with pytest.raises(MigrateError, match="never written over"):
        recorded(tmp_path, Scripted(["b"]), batches=1)
    assert (tmp_path / "batches.jsonl").read_bytes() == before


@pytest.mark.parametrize("out", ["file", "file/out"])
def test_a_folder_that_cannot_be_made(tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(MigrateError, match=r"cannot write .*; name another folder with --out"):
        recorded(tmp_path / out, Scripted(["a"]))
    assert (tmp_path / "file").read_text() == "mine"


def test_two_sources_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MigrateError, match="same name"):
        Recorder([Scripted(), Scripted()], 1.0, tmp_path, Masks([]))


def test_an_interrupt_loses_nothing(tmp_path: Path) -> None:
    recorder = Recorder([Scripted(["a"], ["b"], ["c"])], 1.0, tmp_path, Masks([]))

    def interrupted(done: int, records: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recorder.record(None, interrupted, Waits())
    assert [given["socket:1"] for given in read_batches(tmp_path).batches.values()] == [
        ["a"],
        ["b"],
        ["c"],
    ]


class Goes(Scripted):
    """A source that cannot be read in its second and third batch."""

    def take(self) -> Any:
        found = super().take()
        self.problem = "gone" if len(self.batches) in (1, 2) else ""
        return found


def test_a_source_that_cannot_be_read_is_said_once(tmp_path: Path) -> None:
    said: list[str] = []
    recorder = Recorder([Goes(["a"], [], [], ["b"])], 1.0, tmp_path, Masks([]))
    recorder.record(4, lambda done, records: None, Waits(), said.append)
    assert said == [
        "socket:1: from batch 2 on: gone; trying again",
        "socket:1: read again in batch 4",
    ]
    assert [*read_batches(tmp_path).batches[4]] == ["socket:1"]


def test_a_full_disk_leaves_what_is_there(tmp_path: Path) -> None:
    # the disk takes a part of the second batch
    said = recorded_with_limit(tmp_path, 400, [["a" * 100], ["b" * 1000], ["c"]])
    assert "batches.jsonl: File too large; it has 1 whole batch" in said
    with pytest.warns(UserWarning, match="the last line is cut"):
        assert read_batches(tmp_path).batches == {1: {"socket:1": ["a" * 100]}}


def test_a_disk_without_room_leaves_no_file(tmp_path: Path) -> None:
    assert "0 whole batches" in recorded_with_limit(tmp_path, 10, [["a"]])
    assert list(tmp_path.iterdir()) == []


def recorded_with_limit(out: Path, size: int, batches: list[Any]) -> str:
    """Record where a file can only get so large; return the error."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(MigrateError) as error:
            recorded(out, Scripted(*batches), ends_in=9)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    return str(error.value)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        yield server


def test_lines_of_a_socket(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    one = source(f"socket:127.0.0.1:{port}")
    one.open()
    peer, _ = listener.accept()
    with peer:
        peer.sendall("a b\r\nkäse\n\nund".encode())
        peer.shutdown(socket.SHUT_WR)
        # the receiver closes when it has read all
        assert peer.recv(1) == b""
    one.close()
    assert one.name == f"socket:{port}"
    assert one.take() == ["a b", "käse", "", "und"]
    assert one.take() == []


def test_lines_that_are_no_utf8_are_kept(listener: socket.socket) -> None:
    one = LiveSocket("127.0.0.1", listener.getsockname()[1])
    one.open()
    peer, _ = listener.accept()
    with peer:
        peer.sendall(b"\xff\xfe x\n")
        peer.shutdown(socket.SHUT_WR)
        assert peer.recv(1) == b""
    one.close()
    assert one.take() == ["\ufffd\ufffd x"]
    assert one.broken == 1


def test_nobody_listens(tmp_path: Path, listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    listener.close()
    recorder = Recorder([LiveSocket("127.0.0.1", port)], 1.0, tmp_path / "out", Masks([]))
    with pytest.raises(MigrateError, match="cannot connect"):
        recorder.record(1, lambda done, records: None, Waits())
    # the next try can write there
    assert list((tmp_path / "out").iterdir()) == []


def test_files_that_appear(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("old\n")
    one = LiveFolder(str(tmp_path))
    one.open()
    assert one.take() == {}
    for name, text in {"b.txt": "1\r\n2", "a.txt": "x\n\n", "empty": "", ".hidden": "h"}.items():
        (tmp_path / name).write_text(text, newline="")
    (tmp_path / "folder").mkdir()
    (tmp_path / "_draft").write_text("d")
    assert one.take() == {"a.txt": ["x", ""], "b.txt": ["1", "2"], "empty": []}
    assert one.take() == {}


PACKED = [(".gz", gzip.compress), (".bz2", bz2.compress), (".deflate", zlib.compress)]


@pytest.mark.parametrize(("suffix", "pack"), PACKED)
def test_files_are_unpacked_by_their_suffix(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    one = LiveFolder(str(tmp_path))
    one.open()
    (tmp_path / f"a.log{suffix}").write_bytes(pack("käse\n1\r\n".encode()))
    (tmp_path / f"empty{suffix}").write_bytes(pack(b""))
    assert one.take() == {f"a.log{suffix}": ["käse", "1"], f"empty{suffix}": []}
    assert (one.broken, one.left_out) == (0, [])


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.zst", b"\x28\xb5\x2f\xfd", "a.zst is packed as .zst, which cannot be unpacked here"),
        ("a.b.lz4", b"x", "a.b.lz4 is packed as .lz4"),
        ("a.snappy", b"x", "a.snappy is packed as .snappy"),
        ("a.gz", b"plain\n", "a.gz cannot be unpacked: Not a gzipped file"),
        ("a.gz", gzip.compress(b"text" * 99, mtime=0)[:-9], "a.gz cannot be unpacked"),
        ("a.bz2", bz2.compress(b"text")[:-3], "a.bz2 cannot be unpacked"),
        ("a.deflate", b"x", "a.deflate cannot be unpacked"),
        ("a.parquet", b"PAR1\x00\xff\n", "a.parquet is a binary file"),
    ],
)
def test_files_without_lines_are_left_out(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    one = LiveFolder(str(tmp_path))
    one.open()
    (tmp_path / name).write_bytes(data)
    (tmp_path / "gz").write_text("a\n")
    (tmp_path / "nul.txt").write_text("a\0b\n")
    assert one.take() == {"gz": ["a"], "nul.txt": ["a\0b"]}
    assert len(one.left_out) == 1
    assert one.left_out[0].startswith(why)


def test_lines_of_a_file_that_are_no_utf8_are_counted(tmp_path: Path) -> None:
    one = LiveFolder(str(tmp_path))
    one.open()
    (tmp_path / "a").write_bytes(b"k\xe4se\nb\n\xed\xa0\x80\n")
    # a surrogate is one error of Java's decoder
    assert one.take() == {"a": ["k\ufffdse", "b", "\ufffd"]}
    assert one.broken == 2


def test_what_is_not_recorded_as_it_is_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    one = Scripted(["a"], ["b"], ["c"])

    def progress(done: int, records: int) -> None:
        one.broken += 2
        one.left_out.append(f"{done}.zst is packed")

    recorder = Recorder([one], 1.0, tmp_path, Masks([]))
    recorder.record(3, progress, Waits(), said.append)
    assert said == [
        "socket:1: batch 2: 1.zst is packed; it is left out",
        "socket:1: batch 2: 2 lines without valid UTF-8, recorded with U+FFFD, as a job of text "
        "reads such lines; more of them are counted",
        "socket:1: batch 3: 2.zst is packed; it is left out",
        "socket:1: batch 4: 3.zst is packed; it is left out",
    ]
    assert (recorder.left_out, recorder.broken_lines) == (3, 6)


def test_a_folder_that_goes_away(tmp_path: Path) -> None:
    one = LiveFolder(str(tmp_path / "in"))
    (tmp_path / "in").mkdir()
    one.open()
    (tmp_path / "in").rmdir()
    assert one.take() == {}
    assert "cannot list" in one.problem
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").write_text("1\n")
    assert one.take() == {"a": ["1"]}
    assert one.problem == ""


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MigrateError, match="no folder"):
        LiveFolder(str(tmp_path / "no")).open()


@pytest.mark.parametrize(
    "text",
    [
        *("", "socket", "socket:1", "socket:host:x", "socket:host:0", "socket::1", "file:"),
        *("kafka:t", "kafka:host:1/", "kafka:/t", "mqtt:t"),
    ],
)
def test_what_is_no_live_source(text: str) -> None:
    with pytest.raises(MigrateError, match="--source"):
        source(text)


def test_lines_of_json(tmp_path: Path) -> None:
    recorded(tmp_path, Scripted(["\ud800 \x00"]), batches=1)
    for line in (tmp_path / "batches.jsonl").read_text().splitlines():
        json.loads(line)
