"""Paths without a host, such as ``hdfs:///folder``: the default file system has to name it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.storage.files import HadoopStorage, join, storage_for
from dstream_compat.testing import ManualClock
from tests.support.streaming.checkpoints import never
from tests.support.streaming.contexts import without_checkpoint_directory
from tests.support.streaming.differential import Recorder

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(sc: SparkContext, tmp_path: Path) -> Iterator[str]:
    """Mount a folder of the local disk in the default file system, as HDFS would be there."""
    jsc: Any = sc._jsc
    configuration = jsc.hadoopConfiguration()
    mounts = f"mounts-{uuid.uuid4().hex}"  # Hadoop keeps file systems by their names
    values = {
        "fs.defaultFS": f"viewfs://{mounts}",
        f"fs.viewfs.mounttable.{mounts}.link./ck": tmp_path.as_uri(),
    }
    before = {name: configuration.get(name) for name in values}
    for name, value in values.items():
        configuration.set(name, value)
    yield "viewfs:///ck"
    for name, value in before.items():
        configuration.set(name, value) if value is not None else configuration.unset(name)


def test_a_file_is_replaced(sc: SparkContext, folder: str, tmp_path: Path) -> None:
    storage = storage_for(sc, folder)
    assert isinstance(storage, HadoopStorage)
    path = join(folder, "x")
    storage.write(path, b"one")
    storage.write(path, b"two")
    assert storage.read(path) == (tmp_path / "x").read_bytes() == b"two"
    assert storage.qualified_path(path).endswith("/ck/x")
    assert storage.qualified_path(path).startswith("viewfs://mounts-")


TOTALS: dict[float, Any] = {}
DONE = Recorder()


def add(new: list[int], total: int | None) -> int:
    return sum(new) + (total or 0)


def save(time: Any, rdd: Any) -> None:
    from tests.dstream_compat.storage import test_hadoop_paths as this

    this.TOTALS[time.timestamp()] = dict(rdd.collect())
    this.DONE.last()(time, rdd)


def run(ssc: StreamingContext, end: int) -> None:
    ssc.start()
    try:
        ManualClock(ssc).advance(1)
        DONE.wait(end)
    finally:
        ssc.stop(stopSparkContext=False)


def test_a_job_goes_on_from_its_checkpoint(sc: SparkContext, folder: str, tmp_path: Path) -> None:
    TOTALS.clear()
    DONE.forget()
    with without_checkpoint_directory(sc):
        ssc = StreamingContext(sc, 1)
        ssc.checkpoint(folder)
        words = ssc.queueStream([[("a", 1)], [("a", 2), ("b", 1)]])
        words.updateStateByKey(add).foreachRDD(save)
        run(ssc, 1)
        assert (tmp_path / "dstream-compat" / "current").exists()
        run(StreamingContext.getOrCreate(folder, never), 2)
    assert TOTALS == {1.0: {"a": 1}, 2.0: {"a": 3, "b": 1}}
