"""Checkpoints that each release has written go on exactly, or are refused by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext, __version__
from dstream_compat.checkpoint import checkpoint
from dstream_compat.exceptions import CheckpointError
from dstream_compat.testing import ManualClock
from tests.support.streaming.checkpoints import never, tree
from tests.support.streaming.jobs import released_log
from tests.support.streaming.releases import KILLED, LAST, RELEASES, expected, restore
from tests.support.streaming.stepwise import DEADLINE

READ = ["0.2.0"]
REFUSED = ["0.1.0"]


def test_each_release_has_a_fixture() -> None:
    assert sorted(path.name for path in RELEASES.iterdir()) == sorted(READ + REFUSED)
    assert __version__ in READ, "run scripts/own_checkpoints.py"
    known = json.loads((RELEASES / __version__ / "dstream-compat" / "current").read_text())
    assert known["format"] == checkpoint._FORMAT, "a format that no fixture has"


@pytest.mark.slow
@pytest.mark.parametrize("release", READ)
def test_its_job_goes_on(sc: SparkContext, tmp_path: Path, release: str) -> None:
    folder = tmp_path / "checkpoint"
    restore(release, folder)
    released_log.results.clear()
    ssc = StreamingContext.getOrCreate(str(folder), never)
    ssc.start()
    try:
        ManualClock(ssc).advance_to(LAST)
        assert released_log.wait_for_batch(LAST, DEADLINE)
    finally:
        ssc.stop(stopSparkContext=False)
    assert released_log.results == expected(KILLED)


@pytest.mark.parametrize("release", REFUSED)
def test_it_is_refused_by_name(sc: SparkContext, tmp_path: Path, release: str) -> None:
    folder = tmp_path / "checkpoint"
    restore(release, folder)
    before = tree(folder)
    with pytest.raises(CheckpointError, match=f"format 8, as dstream_compat {release}") as error:
        StreamingContext.getOrCreate(str(folder), never)
    assert "`Moving state by hand` in docs/production/upgrading.md" in str(error.value)
    assert tree(folder) == before


@pytest.mark.parametrize("writer", [True, False])
def test_a_newer_format_is_refused(sc: SparkContext, tmp_path: Path, writer: bool) -> None:
    """Before anything is unpickled, since that may need classes which are not here yet."""
    folder = tmp_path / "checkpoint"
    restore(__version__, folder)
    root = folder / "dstream-compat"
    known = json.loads((root / "current").read_text())
    run = root / known["run"]
    (root / "current").write_text(json.dumps(known | {"format": 77}))
    (run / "graph").write_bytes(b"of classes that are not here yet")
    versions = {"dstream_compat": "7.1", "pyspark": "5.0.0", "python": "3.20.1"}
    (run / "written_by").unlink()
    if writer:
        (run / "written_by").write_text(json.dumps(versions))
    by = "7.1 with PySpark 5.0.0 and Python 3.20.1" if writer else "later"
    with pytest.raises(CheckpointError) as error:
        StreamingContext.getOrCreate(str(folder), never)
    said = str(error.value)
    assert f"has format 77, as {'' if writer else 'a '}" in said and by in said
    assert f"this is dstream_compat {__version__}, which reads format {known['format']}" in said
    assert "Run the job with that version of dstream_compat or a later one" in said


@pytest.mark.parametrize("code", [True, False])
def test_byte_code_of_another_python(sc: SparkContext, tmp_path: Path, code: bool) -> None:
    folder = tmp_path / "checkpoint"
    restore(__version__, folder)
    found = checkpoint.find(sc, str(folder))
    assert found is not None
    saved = found.load()
    if code:
        saved.graph.outputs[0] = replace(saved.graph.outputs[0], action=lambda time, rdd: None)
        found.save(saved)
    known = json.loads((Path(found.folder) / "written_by").read_text())
    (Path(found.folder) / "written_by").write_text(
        json.dumps(known | {"python": "3.10.9", "byte_code": "6f0d0d0a"})
    )
    if not code:
        assert found.load().graph.outputs, "functions by name are those of this Python"
        return
    with pytest.raises(CheckpointError, match=r"Python 3\.10\.9, and this is Python 3\.") as error:
        found.load()
    assert "spark.streaming.compat.rebuildGraph=true" in str(error.value)
    assert found.load(with_graph=False).graph.outputs == []
    assert found.load(to_run=False).graph.outputs
