"""Checkpoint folders that cannot be written: a clear error, and nothing is lost."""

from __future__ import annotations

import os
import random
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.mounts import PRIVATE, may_mount
from tests.support.streaming.processes import JOBS, Finished, run_command

pytestmark = pytest.mark.slow

INTERVALS = 12
WORDS = 3000


needs_mount = pytest.mark.skipif(not may_mount(), reason="mounting is not permitted here")


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Write one file of new words per second of the manual clock."""
    folder, rng = tmp_path / "in", random.Random(1)
    folder.mkdir()
    for second in range(1, INTERVALS + 1):
        path = folder / f"part-{second}"
        path.write_text("".join(f"{rng.getrandbits(256):064x}\n" for _ in range(WORDS)))
        os.utime(path, (second, second))
    return folder


def command(checkpoint: Path, inputs: Path, intervals: int = INTERVALS) -> str:
    job = [sys.executable, JOBS / "disk.py", checkpoint, inputs, intervals]
    return shlex.join(map(str, job))


def in_private(*lines: str) -> Finished:
    return run_command(*PRIVATE, "\n".join(lines))


@needs_mount
@pytest.mark.full
def test_full_disk(tmp_path: Path, inputs: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    job = command(place / "checkpoint", inputs)
    done = in_private(
        f"mount -t tmpfs -o size=3m none {place} || exit 90",
        job,
        'echo "first run: $?"',
        "echo --- >&2",
        f"mount -o remount,size=300m {place} || exit 91",
        f"exec {job}",
    )
    assert done.code == 0, done.out + done.err[-3000:]
    first, _, second = done.out.partition("first run: 1\n")
    assert "batch 1: " in first
    assert f"batch {INTERVALS}" not in first
    assert second.splitlines()[-1] == f"batch {INTERVALS}: {(INTERVALS * WORDS,) * 2}"
    for line in (first + second).splitlines():
        batch = int(line.split()[1].rstrip(":"))
        assert line == f"batch {batch}: {(batch * WORDS,) * 2}"
    failure = done.err.partition("---")[0]
    # Where it was written to first decides how long Spark's text is.
    error = failure[failure.rindex("QueryFailedError: the streaming query failed") :]
    # It is the worker that fails if the state server goes first, and it is not told why.
    assert "No space left on device" in error or "a full disk below the checkpoint" in error
    assert f"(its checkpoint: {place / 'checkpoint'}" in error


@needs_mount
def test_read_only_folder(tmp_path: Path, inputs: Path) -> None:
    place = tmp_path / "read-only"
    place.mkdir()
    done = in_private(
        f"mount -t tmpfs -o ro none {place} || exit 90",
        f"exec {command(place / 'checkpoint', inputs)}",
    )
    assert done.code == 1, done.out + done.err[-3000:]
    last = done.err.strip().splitlines()[-1]
    assert "CheckpointError" in last
    assert str(place / "checkpoint") in last
    assert "Read-only file system" in last


@needs_mount
@pytest.mark.full
def test_recovery_in_a_read_only_folder(tmp_path: Path, inputs: Path) -> None:
    place = tmp_path / "mounted"
    place.mkdir()
    some = command(place / "checkpoint", inputs, 4)
    listing = f"cd {place} && find . | sort | xargs ls -ld --time-style=full-iso"
    done = in_private(
        f"mount -t tmpfs none {place} || exit 90",
        f"{some} || exit 91",
        f"({listing}) > {tmp_path}/before",
        f"mount -o remount,ro {place} || exit 92",
        command(place / "checkpoint", inputs),
        'echo "read-only: $?"',
        "echo --- >&2",
        f"({listing}) > {tmp_path}/after",
        f"mount -o remount,rw {place} || exit 93",
        f"exec {command(place / 'checkpoint', inputs)}",
    )
    assert done.code == 0, done.out + done.err[-3000:]
    assert (tmp_path / "after").read_text() == (tmp_path / "before").read_text() != ""
    first, _, second = done.out.partition("read-only: 1\n")
    assert first.splitlines()[-1].startswith("batch 4: ")
    assert second.splitlines()[-1] == f"batch {INTERVALS}: {(INTERVALS * WORDS,) * 2}"
    last = done.err.partition("---\n")[0].strip().splitlines()[-1]
    assert "Read-only file system" in last
    assert str(place / "checkpoint") in last


def test_file_instead_of_a_folder(tmp_path: Path, inputs: Path) -> None:
    place = tmp_path / "file"
    place.write_text("mine")
    done = run_command("sh", "-c", f"exec {command(place / 'checkpoint', inputs)}")
    assert done.code == 1
    last = done.err.strip().splitlines()[-1]
    assert "CheckpointError" in last
    assert str(place / "checkpoint") in last
    assert "Not a directory" in last
    assert place.read_text() == "mine"
