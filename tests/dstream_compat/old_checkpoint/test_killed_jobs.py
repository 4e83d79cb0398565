"""A job is killed within a batch on Spark's DStreams and goes on here.

Its code is unchanged, or what ``migrate`` makes of it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dstream_compat.old_checkpoint.folder import read_checkpoint
from dstream_compat.old_checkpoint.taking_over import lost_input
from scripts.test_versions import Skipped
from tests.support.components.kafka import Broker
from tests.support.components.ports import free_ports
from tests.support.old_engine.kafka_connector import add_kafka
from tests.support.old_engine.running import HERE, OldJob, expected, old_pyspark
from tests.support.programs import give_up
from tests.support.streaming.checkpoints import tree
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.processes import run_python

pytestmark = [pytest.mark.slow, pytest.mark.full]

KILLED, LAST = 7, 12
HELD = 4
PYTHONS = {"3.5.9": "3.11", "3.3.4": "3.10"}
OUTPUTS = ("sums", "pairs", "tallies", "window", "last")
STATES = ("#1 updateStateByKey", "#2 updateStateByKey")
CODEC = "spark.io.compression.codec"


def python_of(version: str) -> Path:
    if version == "4.3":
        return Path(sys.executable)
    try:
        return old_pyspark(version, PYTHONS[version])
    except Skipped as reason:
        give_up(str(reason))


def migrated(folder: Path) -> Path:
    """Return the code of the jobs after ``migrate``."""
    shutil.copytree(HERE, folder / "code", ignore=shutil.ignore_patterns("__pycache__"))
    done = run_python("-m", "migrator", str(folder / "code"))
    assert "Written to" in done.out, done.err
    code = folder / "code-migrated"
    assert "pyspark.streaming" not in (code / "job.py").read_text()
    return code


def check(job: OldJob, outputs: Sequence[str]) -> None:
    """All batches of both engines are those of plain Python, and none is missing."""
    old, new = job.log("checkpoint"), job.log("new")
    for name, second, found in [*old, *new]:
        wanted = "tallies" if name == "pairs" and job.script != "job.py" else name
        assert found == expected(wanted, second), (name, second)
    ran = {name: [second for other, second, _ in new if other == name] for name in outputs}
    first = ran["sums"][0]
    assert first <= KILLED  # the batch in which it was killed runs again, as a whole
    assert ran == {name: list(range(first, LAST + 1)) for name in outputs}


@pytest.mark.parametrize(
    ("version", "codec", "is_migrated"),
    [
        ("4.3", "lz4", True),
        ("4.3", "zstd", False),
        ("3.5.9", "lz4", False),
        ("3.5.9", "snappy", True),
        ("3.3.4", "lz4", False),
        ("3.3.4", "zstd", False),
    ],
)
def test_totals_are_those_of_plain_python(
    version: str, codec: str, is_migrated: bool, tmp_path: Path
) -> None:
    job = OldJob(tmp_path / "job")
    job.live(python_of(version), KILLED, {CODEC: codec})
    before = tree(job.checkpoint)
    said = job.go_on(KILLED + 1, LAST, job=migrated(tmp_path) if is_migrated else HERE)
    assert tree(job.checkpoint) == before
    for name in (*STATES, "#3 updateStateByKey", "#4 reduce"):
        assert name in said
    check(job, OUTPUTS)


@pytest.mark.parametrize("version", ["4.3", "3.5.9"])
def test_another_default_file_system(version: str, tmp_path: Path) -> None:
    """Folders without a scheme are on viewfs, whose paths Python cannot read by itself."""
    folder = tmp_path / "job"
    conf = {
        "spark.hadoop.fs.defaultFS": "viewfs://cluster/",
        "spark.hadoop.fs.viewfs.mounttable.cluster.link./work": folder.as_uri(),
    }
    places = {"checkpoint": "/work/checkpoint", "input": "/work/in", "new": "/work/new"}
    job = OldJob(folder, settings=places)
    job.live(python_of(version), KILLED, conf)
    said = job.go_on(KILLED + 1, LAST, conf=conf)
    assert "taking over /work/checkpoint" in said
    assert "FileInputDStream of /work/in: to textFileStream" in said
    check(job, OUTPUTS)


@pytest.mark.parametrize("version", ["4.3", "3.5.9"])
def test_a_job_that_lags(version: str, tmp_path: Path) -> None:
    """The newest checkpoint is of the end of a batch, while later ones wait to run."""
    job = OldJob(tmp_path / "job", settings={"held": HELD})
    job.live(python_of(version), KILLED, {})
    old = read_checkpoint(None, str(job.checkpoint))
    assert list(old.content.pending) == [tick * 1000 for tick in range(HELD + 1, KILLED + 1)]
    assert (old.content.last, old.content.last_saved_batch()) == (KILLED * 1000, HELD * 1000)
    (source,) = old.content.sources
    path = Path(source.files[KILLED * 1000][0].removeprefix("file:"))
    kept = path.rename(tmp_path / "kept")
    (lost,) = lost_input(old, source, HELD * 1000, HELD * 1000)
    assert f"gone (1; the first is file:{path})" in lost
    kept.rename(path)
    job.go_on(KILLED + 1, LAST)
    check(job, OUTPUTS)


@pytest.mark.parametrize(("version", "codec"), [("3.5.9", "lz4"), ("3.3.4", "snappy")])
def test_a_job_over_a_socket_with_a_log(version: str, codec: str, tmp_path: Path) -> None:
    job = OldJob(tmp_path / "job", "socket_job.py", {"port": free_ports(1)[0]})
    conf = {CODEC: codec, "spark.streaming.receiver.writeAheadLog.enable": "true"}
    job.live(python_of(version), KILLED, conf)
    before = tree(job.checkpoint)
    said = job.go_on(KILLED + 1, LAST, conf=conf)
    assert tree(job.checkpoint) == before
    for name in (*STATES, "SocketInputDStream", "records of its write-ahead log"):
        assert name in said
    check(job, ("sums", "pairs", "last"))


@pytest.mark.parametrize(("is_migrated", "lags"), [(False, False), (True, False), (False, True)])
def test_a_job_over_kafka(
    is_migrated: bool,
    lags: bool,
    broker: Broker,
    topic: str,
    connector: list[Path],
    kafka_cache: Path,
    tmp_path: Path,
) -> None:
    python = python_of("3.5.9")
    jars = add_kafka(python, kafka_cache, tmp_path)
    settings = {"brokers": broker.address, "topic": topic, "held": HELD if lags else 0}
    job = OldJob(tmp_path / "job", "kafka_job.py", settings)
    job.live(python, KILLED, {"spark.jars": ",".join(map(str, jars))})
    if lags:
        pending = read_checkpoint(None, str(job.checkpoint)).content.pending
        assert list(pending) == [tick * 1000 for tick in range(HELD + 1, KILLED + 1)]
    before = tree(job.checkpoint)
    said = job.go_on(
        KILLED + 1,
        LAST,
        job=migrated(tmp_path) if is_migrated else HERE,
        options=("--jars", ",".join(map(str, connector))),
    )
    assert tree(job.checkpoint) == before
    for name in (*STATES, f"DirectKafkaInputDStream of {topic}"):
        assert name in said
    check(job, ("sums", "pairs", "last"))
