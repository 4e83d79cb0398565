"""What a checkpoint folder may hold, and what is refused."""

from __future__ import annotations

import os
import pickle
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.errors import AnalysisException, IllegalArgumentException

from dstream_compat import StreamingContext
from dstream_compat.checkpoint import checkpoint, hash_probe
from dstream_compat.exceptions import (
    CheckpointError,
    DStreamCompatError,
    QueryFailedError,
    StreamingStateError,
)
from dstream_compat.job import query
from dstream_compat.storage.files import HadoopStorage, LocalStorage, Storage, join
from dstream_compat.storage.spool import Spool
from dstream_compat.testing import ManualClock
from tests.support.streaming.checkpoints import never, tree
from tests.support.streaming.contexts import without_checkpoint_directory
from tests.support.streaming.differential import Recorder


@pytest.fixture
def started(sc: SparkContext, tmp_path: Path) -> Iterator[Path]:
    """Run two intervals of a job; yields its checkpoint folder."""
    folder = tmp_path / "checkpoint"
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(folder))
    stream = ssc.queueStream([["a"], ["b"], ["c"]])
    stream.foreachRDD(save_batch)
    stream.foreachRDD(finished)
    BATCHES.clear()
    DONE.forget()
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(2)
    DONE.wait(2)
    ssc.stop(stopSparkContext=False)
    yield folder


@pytest.mark.slow
def test_initial_state_is_recovered_as_state(sc: SparkContext, tmp_path: Path) -> None:
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(tmp_path))
    initial = sc.parallelize([("a", 100)])
    counted = ssc.queueStream([[("a", 1)], [("a", 2)]]).updateStateByKey(running_sum, 2, initial)
    counted.foreachRDD(save_batch)
    counted.foreachRDD(finished)
    BATCHES.clear()
    DONE.forget()
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(1)
    DONE.wait(1)
    ssc.stop(stopSparkContext=False)
    again = StreamingContext.getOrCreate(str(tmp_path), never)
    again.start()
    try:
        clock = ManualClock(again)
        clock.advance(1)
        DONE.wait(2)
    finally:
        again.stop(stopSparkContext=False)
    # The hard stop may have come before Spark committed the first batch: then it ran twice.
    assert dict(BATCHES) == {1.0: [("a", 101)], 2.0: [("a", 103)]}


def running_sum(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


BATCHES: list[Any] = []
DONE = Recorder()


def save_batch(time: Any, rdd: Any) -> None:
    from tests.dstream_compat.checkpoint import test_checkpoint as this

    this.BATCHES.append((time.timestamp(), rdd.collect()))


def finished(time: Any, rdd: Any) -> None:
    from tests.dstream_compat.checkpoint import test_checkpoint as this

    this.DONE.last()(time, rdd)


@pytest.mark.slow
def test_queues_are_recovered_in_the_same_spark_context(sc: SparkContext, started: Path) -> None:
    assert BATCHES[:2] == [(1.0, ["a"]), (2.0, ["b"])]
    ssc = StreamingContext.getOrCreate(str(started), never)
    assert ssc.sparkContext is sc
    with pytest.raises(StreamingStateError, match="function that is given to getOrCreate"):
        ssc.queueStream([[1]])
    ssc.start()
    clock = ManualClock(ssc)
    assert clock.now() == 2
    clock.advance(2)
    DONE.wait(4)
    ssc.stop(stopSparkContext=False)
    # The hard stop may have come before Spark committed the first micro-batch: then it ran twice.
    wanted = {1.0: ["a"], 2.0: ["b"], 3.0: ["c"], 4.0: []}
    assert all(records == wanted[time] for time, records in BATCHES)
    assert {time for time, _ in BATCHES[2:]} >= {3.0, 4.0}


@pytest.mark.slow
def test_rdds_are_kept_below_the_folder(sc: SparkContext, tmp_path: Path) -> None:
    """As with DStreams, in a context that is set up and in one that is recovered."""
    for make, name in ((real.StreamingContext, "real"), (StreamingContext, "ours")):
        folder = str(tmp_path / name)
        with without_checkpoint_directory(sc):
            ssc: Any = make(sc, 1)
            ssc.checkpoint(folder)
            assert str(sc.getCheckpointDir()).removeprefix("file:").startswith(f"{folder}/")
            rdd = sc.parallelize([1])
            rdd.checkpoint()
            assert rdd.count() == 1
            assert str(rdd.getCheckpointFile()).removeprefix("file:").startswith(f"{folder}/")
            ssc.stop(stopSparkContext=False)


@pytest.mark.slow
def test_rdds_are_kept_below_the_folder_of_a_recovered_context(
    sc: SparkContext, started: Path
) -> None:
    with without_checkpoint_directory(sc):
        StreamingContext.getOrCreate(str(started), never)
        assert str(sc.getCheckpointDir()).removeprefix("file:").startswith(f"{started}/")


@pytest.mark.slow
def test_no_folder_after_all(sc: SparkContext, tmp_path: Path) -> None:
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(tmp_path / "checkpoint"))
    ssc.checkpoint(None)
    ssc.queueStream([[1]]).pprint()
    ssc.start()
    ssc.stop(stopSparkContext=False)
    assert not (tmp_path / "checkpoint" / "dstream-compat").exists()


@pytest.mark.slow
@pytest.mark.parametrize("age", [0, 25], ids=["alive", "old"])
def test_what_another_job_writes_to_is_kept(sc: SparkContext, tmp_path: Path, age: int) -> None:
    """Two jobs that share a folder: one goes on while the other begins again and again."""
    root = tmp_path / "dstream-compat"
    for number in range(4):
        ssc = StreamingContext(sc, 1)
        ssc.checkpoint(str(tmp_path))
        ssc.queueStream([[1]]).foreachRDD(finished)
        ssc.start()
        ssc.stop(stopSparkContext=False)
        if number == 0:
            (other,) = root.glob("run-*")
            then = time.time() - age * 3600
            for logged in [other, *(other / "query" / "offsets").iterdir()]:
                os.utime(logged, (then, then))
    assert other.exists() == (age == 0)
    assert len(list(root.glob("run-*"))) == (4 if age == 0 else 3)


@pytest.mark.slow
def test_other_hashes_are_refused(
    sc: SparkContext, started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssc = StreamingContext.getOrCreate(str(started), never)
    monkeypatch.setattr(hash_probe, "probe_hash", lambda _: 12345)
    with pytest.raises(CheckpointError, match=r"then, 12345 now.*PYTHONHASHSEED"):
        ssc.start()
    assert StreamingContext.getActive() is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["current", "run-*/graph"])
def test_damaged_files_are_refused_and_kept(sc: SparkContext, started: Path, name: str) -> None:
    (target,) = (started / "dstream-compat").glob(name)
    target.write_bytes(b"{ damaged")
    before = tree(started)
    with pytest.raises(CheckpointError, match=target.name):
        StreamingContext.getOrCreate(str(started), never)
    assert tree(started) == before


@pytest.mark.slow
def test_damaged_inputs_are_refused_and_kept(sc: SparkContext, started: Path) -> None:
    found = (started / "dstream-compat").glob("run-*/inputs/[0-9]*")
    target = max(found, key=lambda path: int(path.name))
    target.write_bytes(target.read_bytes()[:-9])
    before = target.read_bytes()
    ssc = StreamingContext.getOrCreate(str(started), never)
    said = rf"inputs/{target.name} is damaged .*Restore the file"
    with pytest.raises(DStreamCompatError, match=said):
        ssc.start()
    assert target.read_bytes() == before
    assert StreamingContext.getActive() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "raised", [IllegalArgumentException(message="no such\n\tat java"), AnalysisException("no")]
)
def test_what_spark_refuses_names_the_folder(
    started: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception
) -> None:
    def refuse(*_: Any) -> None:
        raise raised

    monkeypatch.setattr(query, "start_query", refuse)
    before = tree(started)
    again = StreamingContext.getOrCreate(str(started), never)
    with pytest.raises(QueryFailedError, match="failed: no") as caught:
        again.start()
    assert f"its checkpoint: {started}/dstream-compat/run-" in str(caught.value)
    assert "at java" not in str(caught.value)
    assert before.items() <= tree(started).items()
    again.stop(stopSparkContext=False)


@pytest.mark.parametrize("which", ["context", "spark", "streaming"])
def test_unserialisable_functions_are_refused(sc: SparkContext, tmp_path: Path, which: str) -> None:
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(tmp_path / "new"))
    held: Any = {"context": sc, "spark": sc.parallelize([1]), "streaming": ssc}[which]
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: held)
    with pytest.raises(pickle.PicklingError, match="are not serializable"):
        ssc.start()
    assert StreamingContext.getActive() is None
    ssc.stop(stopSparkContext=False)
    assert checkpoint.find(sc, str(tmp_path / "new")) is None


def test_setup_is_called_for_a_new_folder(sc: SparkContext, tmp_path: Path) -> None:
    made: list[StreamingContext] = []

    def setup() -> StreamingContext:
        made.append(StreamingContext(sc, 1))
        return made[-1]

    ssc = StreamingContext.getOrCreate(str(tmp_path / "new"), setup)
    assert made == [ssc]
    assert ssc._folder == str(tmp_path / "new")
    again = StreamingContext.getActiveOrCreate(None, setup)
    assert made == [ssc, again]
    with pytest.raises(TypeError, match="callable"):
        StreamingContext.getActiveOrCreate(None, "setup")  # type: ignore[arg-type]


@pytest.fixture(params=["local", "hadoop"])
def storage(request: pytest.FixtureRequest, sc: SparkContext) -> Storage:
    if request.param == "local":
        return LocalStorage()
    jsc: Any = sc._jsc
    return HadoopStorage(sc._jvm, jsc.hadoopConfiguration(), "file:///")


def test_storage(storage: Storage, tmp_path: Path) -> None:
    folder = f"file://{tmp_path}/a b"
    with pytest.raises(FileNotFoundError):
        storage.list(folder)
    with pytest.raises(FileNotFoundError):
        storage.read(join(folder, "x"))
    storage.write(join(folder, "x"), b"one")
    storage.write(join(folder, "x"), b"\x00\xff two")
    assert storage.read(join(folder, "x")) == b"\x00\xff two"
    assert storage.exists(join(folder, "x"))
    (entry,) = [e for e in storage.list(folder) if not e.name.endswith(".crc")]
    assert (entry.name, entry.size, entry.is_folder) == ("x", 6, False)
    assert abs(entry.modified - (tmp_path / "a b" / "x").stat().st_mtime * 1000) < 1001
    storage.delete(folder)
    assert not storage.exists(folder)
    storage.delete(folder)


def test_spool_keeps_the_last_committed_inputs(tmp_path: Path) -> None:
    spool = Spool(LocalStorage(), str(tmp_path))
    for hi in (1000, 2000, 3000):
        spool.keep(hi, pickle.dumps(f"inputs of {hi}"))
    spool.forget(2000)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["2000", "3000"]
    again = Spool(LocalStorage(), str(tmp_path))
    assert again.load(2000) == "inputs of 2000"
    again.forget(3000)
    assert [p.name for p in tmp_path.iterdir()] == ["3000"]
    with pytest.raises(FileNotFoundError):
        again.load(1000)


@pytest.mark.slow
@pytest.mark.parametrize("left", [[], ["metadata"]])
def test_lost_state_is_refused(sc: SparkContext, started: Path, left: list[str]) -> None:
    """Spark would begin without any, and with another zero time."""
    (query,) = (started / "dstream-compat").glob("run-*/query")
    ssc = StreamingContext.getOrCreate(str(started), never)
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(1)
    DONE.wait(3)  # the second micro-batch: Spark has committed the first one
    ssc.stop(stopSparkContext=False)
    for path in query.iterdir():
        if path.name not in left:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = tree(started)
    ssc = StreamingContext.getOrCreate(str(started), never)
    with pytest.raises(CheckpointError, match=r"query/offsets is gone or empty.*Restore"):
        ssc.start()
    assert tree(started) == before
    assert StreamingContext.getActive() is None
