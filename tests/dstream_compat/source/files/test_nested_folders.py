"""Folders in a watched folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark import SparkContext

from dstream_compat.source.files.source import FileSource
from dstream_compat.storage.files import FolderEntry, LocalStorage
from dstream_compat.wire import errors
from tests.support.streaming.files import put
from tests.support.streaming.inputs import opened

pytestmark = pytest.mark.slow


def test_a_folder_in_the_folder_that_cannot_be_listed(
    sc: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its batch fails, as with DStreams; the files of other batches are not lost."""
    (tmp_path / "in").mkdir()
    put(tmp_path / "in", "a", 0.5, b"a\n")
    (tmp_path / "in" / "locked").mkdir()
    os.utime(tmp_path / "in" / "locked", (1.5, 1.5))
    put(tmp_path / "in", "c", 2.5, b"c\n")
    listed = LocalStorage.list

    def refusing(storage: LocalStorage, path: str) -> list[FolderEntry]:
        if path.endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return listed(storage, path)

    monkeypatch.setattr(LocalStorage, "list", refusing)
    source = opened(FileSource(str(tmp_path / "in"), 0, None, 60_000))
    plan = source.plan(sc, [1000, 2000, 3000])
    assert [len(plan[tick]) for tick in (1000, 3000)] == [1, 1]
    failed = plan[2000]
    assert isinstance(failed, bytes)
    assert isinstance(errors.load(failed).exception(), PermissionError)
