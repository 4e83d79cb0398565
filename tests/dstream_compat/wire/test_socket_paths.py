"""Which folders are short enough for a Unix socket, and those that are made for one."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from dstream_compat.wire.socket_paths import (
    SPARKS_NAME,
    fits,
    is_private_folder,
    private_folder,
)


def deep(folder: Path, length: int) -> str:
    """Return a new folder below another one, whose path has a length."""
    missing = length - len(str(folder)) - 1
    made = folder / ("x" * missing)
    made.mkdir()
    assert len(str(made)) == length
    return str(made)


@pytest.fixture
def short() -> Iterator[Path]:
    """Make a folder whose path is short, whatever pytest's are."""
    made = private_folder()
    yield Path(made)
    shutil.rmtree(made)


@pytest.mark.parametrize("length", range(58, 72))
def test_what_fits_can_be_bound(short: Path, length: int) -> None:
    path = os.path.join(deep(short, length), f".{uuid.uuid4()}.sock")
    assert len(os.path.basename(path)) == len(SPARKS_NAME)
    with socket.socket(socket.AF_UNIX) as made:
        if fits(os.path.dirname(path)):
            made.bind(path)
        else:
            with pytest.raises(OSError, match="too long"):
                made.bind(path)


def test_bytes_count_not_characters() -> None:
    assert fits("/" + "x" * 50)
    assert not fits("/" + "ü" * 50)


def test_a_private_folder(short: Path) -> None:
    made = private_folder(first=str(short))
    assert Path(made).parent == short
    assert stat.S_IMODE(os.stat(made).st_mode) == 0o700
    assert fits(made)
    assert is_private_folder(made)
    assert not is_private_folder("/tmp")
    assert not is_private_folder("")


@pytest.mark.parametrize("why", ["long", "missing"])
def test_places_that_cannot_be_used(short: Path, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place = deep(short, 90) if why == "long" else str(short / "missing")
    monkeypatch.setattr("tempfile.tempdir", place)
    made = private_folder(first=place)
    assert Path(made).parent in (Path("/tmp"), Path("/var/tmp"))
    assert fits(made)
    os.rmdir(made)


def test_no_place_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    with pytest.raises(OSError, match=r"/nowhere. Set TMPDIR to a folder of at most \d+ char"):
        private_folder()
