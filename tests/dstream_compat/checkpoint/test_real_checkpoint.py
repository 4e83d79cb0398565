"""Checkpoint folders of Spark's own DStreams are refused, and nothing in them is changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import CheckpointError
from tests.support.streaming.checkpoints import never
from tests.support.streaming.same_lives import BEGIN, Lives


def everything(folder: Path) -> dict[str, tuple[int, bytes | None]]:
    """Return when each entry was written last, and what is in it."""
    return {
        str(path.relative_to(folder.parent)): (
            path.stat().st_mtime_ns,
            None if path.is_dir() else path.read_bytes(),
        )
        for path in (folder, *folder.rglob("*"))
    }


def test_the_name_of_a_file_suffices(sc: SparkContext, tmp_path: Path) -> None:
    (tmp_path / "checkpoint-1420452000000").write_bytes(b"java")
    (tmp_path / "checkpoint-1420452000000.bk").write_bytes(b"java")
    before = everything(tmp_path)
    with pytest.raises(CheckpointError, match="Spark's own DStreams"):
        StreamingContext.getOrCreate(str(tmp_path), never)
    ssc = StreamingContext(sc, 1)
    with pytest.raises(CheckpointError, match="checkpoint-1420452000000"):
        ssc.checkpoint(str(tmp_path))
    assert everything(tmp_path) == before


@pytest.mark.slow
def test_a_job_of_dstreams(sc: SparkContext, tmp_path: Path) -> None:
    lives = Lives(real, sc, tmp_path, everything=False)
    early = StreamingContext(sc, 1)
    early.checkpoint(lives.checkpoint)  # the folder is not there yet
    early.queueStream([[1]]).pprint()
    lives.live(BEGIN, 4)
    folder = Path(lives.checkpoint)
    before = everything(folder)
    assert any(path.name.startswith("checkpoint-") for path in folder.iterdir())
    said = rf"{folder} holds a checkpoint of Spark's own DStreams \(checkpoint-\d+.*new checkpoint"
    for path in (str(folder), folder.as_uri()):
        with pytest.raises(CheckpointError, match="Spark's own DStreams"):
            StreamingContext.getOrCreate(path, never)
        with pytest.raises(CheckpointError, match="Spark's own DStreams"):
            StreamingContext.getActiveOrCreate(path, never)
    with pytest.raises(CheckpointError, match=said):
        StreamingContext(sc, 1).checkpoint(str(folder))
    with pytest.raises(CheckpointError, match=said):
        early.start()
    assert StreamingContext.getActive() is None
    assert everything(folder) == before
    # Its own engine goes on with it.
    seen: list[Any] = lives.live(4, 5)
    assert ("last", 5) in {(name, at) for name, at, _ in seen}
    with pytest.raises(CheckpointError, match=said):
        StreamingContext.getOrCreate(str(folder), never)
