"""Checkpoints that are cut off, incomplete, in use, or none."""

from __future__ import annotations

import dataclasses
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.exceptions import CheckpointError
from dstream_compat.old_checkpoint.compression import decompress
from dstream_compat.old_checkpoint.folder import OldCheckpoint, read_checkpoint
from dstream_compat.old_checkpoint.java_stream import JavaStream, JavaStreamError
from dstream_compat.old_checkpoint.received_log import logged_blocks
from dstream_compat.storage.files import LocalStorage
from tests.dstream_compat.old_checkpoint.conftest import FIXTURES

CODECS = ("lz4", "lzf", "snappy", "zstd")


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


@pytest.mark.parametrize("size", [0, 3, 100, 9000])
def test_an_older_file_is_taken_and_that_is_said(old: Path, size: int) -> None:
    cut(old / "checkpoint-5000", size)
    (old / ".checkpoint-5000.crc").unlink(missing_ok=True)
    found = read_checkpoint(None, str(old))
    # it was written when the fourth batch had completed, and the fifth was made
    assert (found.file, found.content.last) == ("checkpoint-4000", 5000)
    assert [text.partition(":")[0] for text in found.unread] == ["checkpoint-5000"]


def test_the_backup_comes_before_an_older_file(old: Path) -> None:
    whole = (old / "checkpoint-5000").read_bytes()
    (old / "checkpoint-5000.bk").write_bytes(whole)
    cut(old / "checkpoint-5000", 100)
    assert read_checkpoint(None, str(old)).file == "checkpoint-5000.bk"


def test_no_file_can_be_read(old: Path) -> None:
    for path in old.glob("checkpoint-*"):
        cut(path, 200)
    with pytest.raises(CheckpointError, match=r"checkpoint-5000: .*; checkpoint-4000: "):
        read_checkpoint(None, str(old))


def test_a_folder_with_the_name_of_a_file_is_none(old: Path) -> None:
    (old / "checkpoint-9000").mkdir()
    found = read_checkpoint(None, str(old))
    assert (found.file, found.unread) == ("checkpoint-5000", [])


def refuse(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a file be one that its owner alone may read."""
    read = LocalStorage.read

    def checked(storage: LocalStorage, path: str) -> bytes:
        if part in path:
            raise PermissionError(13, "Permission denied", path)
        return read(storage, path)

    monkeypatch.setattr(LocalStorage, "read", checked)


def test_a_file_that_may_not_be_read(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse("checkpoint-5000", monkeypatch)
    found = read_checkpoint(None, str(old))
    (text,) = found.unread
    assert found.file == "checkpoint-4000" and "checkpoint-5000: [Errno 13]" in text
    refuse("checkpoint-", monkeypatch)
    with pytest.raises(CheckpointError, match=r"checkpoint-5000: .*Permission denied"):
        read_checkpoint(None, str(old))


def test_a_part_of_a_state_that_may_not_be_read(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read_checkpoint(None, str(old))
    part = first_part(old, found)
    refuse(part.name, monkeypatch)
    with pytest.raises(CheckpointError, match=rf"{part.name} cannot be read: .*Permission denied"):
        list(found.pickles(found.content.states[0], 4000))


@pytest.mark.slow
def test_an_error_of_another_file_system(
    sc: SparkContext, elsewhere: Callable[[Path], str], old: Path
) -> None:
    """Hadoop compares checksums by itself, and raises."""
    folder = elsewhere(old)
    cut(old / "checkpoint-5000", 9000)
    found = read_checkpoint(sc, folder)
    (text,) = found.unread
    assert found.file == "checkpoint-4000" and "Checksum" in text
    part = first_part(old, found)
    cut(part, 50)
    with pytest.raises(CheckpointError, match=rf"{part.name} cannot be read: .*Checksum"):
        list(found.pickles(found.content.states[0], 4000))


def test_no_checkpoint(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "not there", FIXTURES / "lz4" / "checkpoint-5000"):
        with pytest.raises(CheckpointError, match="holds no checkpoint of Spark's DStreams"):
            read_checkpoint(None, str(folder))


@pytest.mark.parametrize("codec", CODECS)
def test_a_file_that_is_cut_anywhere_is_noticed(codec: str) -> None:
    data = (FIXTURES / codec / "checkpoint-5000").read_bytes()
    assert list(JavaStream(decompress(data)).objects())
    for size in range(0, len(data) - 30, 997):
        with pytest.raises(JavaStreamError):
            list(JavaStream(decompress(data[:size])).objects())


def test_other_bytes() -> None:
    with pytest.raises(JavaStreamError, match="no codec of Spark"):
        decompress(b"PK\x03\x04 a zip file")


def first_part(old: Path, found: OldCheckpoint) -> Path:
    folder = found.content.states[0].folders[4000].rpartition("/")[2]
    return next(iter(sorted(old.glob(f"*/{folder}/part-*"), key=lambda p: -p.stat().st_size)))


@pytest.mark.parametrize("size", [49, 51, 80])
def test_a_part_of_a_state_is_cut_off(old: Path, size: int) -> None:
    found = read_checkpoint(None, str(old))
    part = first_part(old, found)
    cut(part, size)
    with pytest.raises(CheckpointError, match=rf"{part.name} cannot be read.*#1 updateStateByKey"):
        list(found.pickles(found.content.states[0], 4000))


def test_a_part_that_is_cut_between_two_records_does_not_fit_its_checksums(old: Path) -> None:
    found = read_checkpoint(None, str(old))
    part = first_part(old, found)
    between = 50
    assert len(list(JavaStream(part.read_bytes()[:between]).objects())) == 1
    cut(part, between)
    with pytest.raises(CheckpointError, match="does not match its checksums"):
        list(found.pickles(found.content.states[0], 4000))


def test_a_state_is_gone(old: Path) -> None:
    found = read_checkpoint(None, str(old))
    state = found.content.states[0]._replace(folders={4000: f"file:{old}/gone/rdd-1"})
    with pytest.raises(CheckpointError, match="is not there, the state of #1 updateStateByKey"):
        list(found.pickles(state, 4000))
    (old / "gone" / "rdd-1").mkdir(parents=True)
    with pytest.raises(CheckpointError, match="contains no part of the state"):
        list(found.pickles(state, 4000))


@pytest.mark.slow
def test_a_running_job_is_noticed(old: Path) -> None:
    found = read_checkpoint(None, str(old))  # copied just now
    now = time.time()
    os.utime(old / "checkpoint-5000", (now, now))
    found.written = int(now * 1000)

    def write() -> None:
        (old / "checkpoint-6000").write_bytes(b"")
        os.utime(old / "checkpoint-6000", (now + 1, now + 1))

    writing = threading.Timer(0.2, write)
    writing.start()
    with pytest.raises(CheckpointError, match="written to by a running job"):
        found.refuse_running()
    writing.join()


def written(old: Path, seconds_ago: float, interval: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A checkpoint of another interval (milliseconds); nothing waits for time."""
    found = read_checkpoint(None, str(old))
    at = time.time() - seconds_ago
    for path in old.glob("checkpoint-*"):
        os.utime(path, (at, at))
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    content = found.content._replace(interval=interval)
    return dataclasses.replace(found, written=int(at * 1000), content=content), waits


@pytest.mark.parametrize(
    ("seconds_ago", "interval", "left"),
    [(50, 60, 30), (0, 60, 80), (400, 600, 220), (3500, 3600, 120)],
)
def test_a_job_of_long_intervals_may_still_run(
    seconds_ago: int, interval: int, left: int, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes once in an interval: what is recent does not end after some seconds."""
    found, waits = written(old, seconds_ago, interval * 1000, monkeypatch)
    if left > 40:
        text = rf"written to {seconds_ago} s ago, and an interval is {interval} s.*when {left} s"
        with pytest.raises(CheckpointError, match=text):
            found.refuse_running()
    else:
        found.refuse_running()
    assert [round(wait) for wait in waits] == ([left] if left <= 40 else [])


def test_it_says_that_it_waits(
    old: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found, waits = written(old, 1, 5000, monkeypatch)
    found.refuse_running()
    assert [round(wait) for wait in waits] == [9]
    assert "looking again in 9 s, whether its job still runs" in caplog.text
    found, waits = written(old, 81, 60_000, monkeypatch)
    found.refuse_running()
    assert waits == []


def test_a_job_that_has_ended_is_none(old: Path) -> None:
    for path in old.glob("checkpoint-*"):
        os.utime(path, (1_600_000_000, 1_600_000_000))
    read_checkpoint(None, str(old)).refuse_running()


def test_a_log_of_received_records_that_is_damaged(tmp_path: Path) -> None:
    folder = shutil.copytree(FIXTURES / "socket", tmp_path / "old")
    found = read_checkpoint(None, str(folder))
    (events,) = folder.glob("receivedBlockMetadata/log-*")
    whole = events.read_bytes()
    # what was being written when the job was killed is not there, as for Spark
    events.write_bytes(whole + b"\0\0\1\0cut off")
    assert logged_blocks(found, 4000, 5000) == {0: {5000: [["a b2 c5 a"]]}}
    events.write_bytes(whole[:40] + b"?" * 40 + whole[80:])
    with pytest.raises(CheckpointError, match=rf"{events.name} cannot be read: "):
        logged_blocks(found, 4000, 5000)
    events.write_bytes(whole + b"\xff" * 8)
    with pytest.raises(CheckpointError, match=rf"{events.name} cannot be read: .* length of -1"):
        logged_blocks(found, 4000, 5000)
    events.write_bytes(whole)
    data = max(folder.glob("receivedData/0/log-*"))
    cut(data, data.stat().st_size - 3)
    with pytest.raises(CheckpointError, match=rf"logged in .*{data.name} at \d+ cannot be read"):
        logged_blocks(found, 4000, 5000)
