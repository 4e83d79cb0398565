"""The files that a job's own code writes are noticed, and no others."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dstream_compat.testing.capture import append
from dstream_compat.testing.written_files import WrittenFiles

FILES = WrittenFiles()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    FILES.watch()
    assert list(FILES.changes()) == []
    return tmp_path


def test_lines_that_come_are_told(folder: Path) -> None:
    with open("totals.txt", "w") as file:
        file.write("a\n")
    Path("by_path.txt").write_text("p\nq")
    assert list(FILES.changes()) == [("by_path.txt", ["p", "q"]), ("totals.txt", ["a"])]
    with open("totals.txt", "a") as file:
        file.write("b\n")
    assert list(FILES.changes()) == [("totals.txt", ["b"])]
    with open("totals.txt", "w") as file:
        file.write("other\n")
    assert list(FILES.changes()) == [("totals.txt", ["other"])]
    assert list(FILES.changes()) == []


def test_what_was_there_is_left_out(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", "open('old.txt', 'w').write('old\\n')"], check=True)
    with open("old.txt", "a") as file:
        file.write("new\n")
    assert list(FILES.changes()) == [("old.txt", ["new"])]


def test_a_file_that_stays_open(folder: Path) -> None:
    file = open("open.txt", "w")  # noqa: SIM115  (as jobs do)
    file.write("one\n")
    file.flush()
    assert list(FILES.changes()) == [("open.txt", ["one"])]
    file.close()


@pytest.mark.parametrize("move", [os.rename, os.replace, shutil.move])
def test_a_file_that_is_written_beside_its_place(folder: Path, move: object) -> None:
    Path("draft").write_text("x\n")
    assert callable(move)
    move("draft", "final.txt")
    assert list(FILES.changes()) == [("final.txt", ["x"])]


def test_other_files(folder: Path) -> None:
    Path("read.txt").write_text("r")
    assert list(FILES.changes()) == [("read.txt", ["r"])]
    Path("read.txt").read_text()
    Path(".hidden").write_text("h")
    Path("_temporary").write_text("t")
    Path("module.pyc").write_bytes(b"\x00")
    append("events", [{"by": "this package"}])
    with FILES.pause():
        Path("input.txt").write_text("for the job")
    handler = logging.FileHandler("job.log")
    handler.emit(logging.makeLogRecord({"msg": "10:00 started"}))
    handler.close()
    with tempfile.TemporaryFile("w") as file:
        file.write("nobody sees it")
    assert list(FILES.changes()) == []


def test_absolute_paths_are_shown_whole(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "out.txt"
    other.write_text("o")
    assert list(FILES.changes()) == [(str(other), ["o"])]
