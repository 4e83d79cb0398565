"""`--target structured`: jobs next to others, and jobs that a finding keeps from being moved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.run.structured_jobs import checkpoint_folders
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]


@pytest.fixture
def job(tmp_path: Path) -> Path:
    path = tmp_path / "tree" / "job.py"
    path.parent.mkdir()
    return path


KAFKA = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def brokers():
    return {brokers}


sc = SparkContext()
ssc = StreamingContext(sc, 1)
KafkaUtils.createDirectStream(ssc, ["t"], {{"metadata.broker.list": {value}}}).pprint()
ssc.start()
"""


def test_a_value_that_kafka_does_not_take_keeps_the_job(migrate: Migrate, job: Path) -> None:
    job.write_text(KAFKA.format(brokers='["a:1", "b:2"]', value="brokers()"))
    run = migrate(str(job), "--target", "structured", "--in-place", "--unsafe-fixes")
    assert "[KAFKA_PARAMS]" in run.out
    assert "give kafkaParams strings only (D209)" in run.out
    assert "readStream" not in job.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("value", ["brokers()", '["a:1", "b:2"]'])
def test_a_value_that_is_a_text_for_kafka_does_not(migrate: Migrate, job: Path, value: str) -> None:
    job.write_text(KAFKA.format(brokers='"a:1,b:2"', value=value))
    run = migrate(str(job), "--target", "structured", "--in-place")
    assert "[KAFKA_PARAMS]" not in run.out
    assert "readStream" in job.read_text()


@pytest.mark.parametrize(
    ("paths", "folders"),
    [
        (["a/main.py", "b/other.py"], ["main", "other"]),
        (["a/main.py", "b/main.py"], ["a.main", "b.main"]),
        (["main.py", "a/main.py", "b.py"], ["main", "a.main", "b"]),
        (["a-b.py", "a_b.py", "a b.py"], ["a-b", "a_b", "a_20_b"]),
        (["count-words.py"], ["count_words"]),
        (["a/b/main.py", "a.b/main.py"], ["a.b.main", "a_2e_b.main"]),
    ],
)
def test_each_job_has_a_folder_of_checkpoints(paths: list[str], folders: list[str]) -> None:
    assert checkpoint_folders(paths) == dict(zip(paths, folders, strict=True))


RECOVERED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    ssc = StreamingContext(SparkContext(), 1)
    ssc.checkpoint("hdfs:///checkpoint")
    ssc.socketTextStream("localhost", 9999).pprint()
    return ssc


ssc = StreamingContext.getOrCreate("hdfs:///checkpoint", create)
ssc.start()
ssc.awaitTermination()
"""


def test_jobs_of_one_name_share_no_checkpoint(migrate: Migrate, job: Path) -> None:
    folders = [job.parent / name for name in ("a", "b")]
    for each in folders:
        each.mkdir()
        (each / "main.py").write_text(
            RECOVERED.replace("SparkContext(), 1)", "sc, 1)").replace(
                "    ssc = S", "    sc = SparkContext()\n    ssc = S", 1
            )
        )
    run = migrate(str(job.parent), "--target", "structured", "--in-place", "--explain")
    for each in folders:
        text = (each / "main.py").read_text()
        assert f'"hdfs:///checkpoint/{each.name}.main")' in text
        assert f"the folder `{each.name}.main` in it" in " ".join(run.out.split())
