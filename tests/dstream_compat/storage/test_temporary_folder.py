"""Where queries without a checkpoint folder keep their own."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from unittest.mock import MagicMock, call

import pytest
from pyspark import SparkContext

from dstream_compat.storage.temporary import temporary_folder


@pytest.mark.parametrize(
    ("shared", "default", "expected"),
    [
        (None, "file:///", r"file:///.*/dstream-compat-\w+"),
        (None, "hdfs://host:8020", r"hdfs://host:8020/tmp/dstream-compat-\w{32}"),
        ("hdfs://other/rdds/1", "file:///", r"hdfs://other/rdds/1/dstream-compat-\w{32}"),
        ("file:/shared/rdds/1", "hdfs://host", r"file:/shared/rdds/1/dstream-compat-\w{32}"),
    ],
)
def test_executors_can_write_there(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shared: str | None,
    default: str,
    expected: str,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("dstream_compat.storage.temporary.java_class", MagicMock())
    sc = MagicMock()
    folder = sc._jsc.sc().getCheckpointDir()
    folder.isDefined.return_value = shared is not None
    folder.get.return_value = shared
    sc._jsc.hadoopConfiguration().get = {"fs.defaultFS": default}.get
    assert re.fullmatch(expected, temporary_folder(sc))


@pytest.mark.slow
def test_nobody_else_may_read_there(sc: SparkContext) -> None:
    """In the folder of ``setCheckpointDir``; recovery/test_hdfs.py has one of HDFS."""
    path = Path(temporary_folder(sc).removeprefix("file:"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    path.rmdir()


def test_folders_above_are_as_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """HDFS gives missing ones the mode that it is asked for."""
    java = MagicMock()
    monkeypatch.setattr("dstream_compat.storage.temporary.java_class", java)
    sc = MagicMock()
    sc._jsc.sc().getCheckpointDir().isDefined.return_value = False
    sc._jsc.hadoopConfiguration().get = {"fs.defaultFS": "hdfs://host"}.get
    temporary_folder(sc)
    path = java()()
    made = path.getFileSystem().mkdirs.call_args_list
    assert made == [call(path.getParent()), call(path, path)], "a mode for the last alone"
