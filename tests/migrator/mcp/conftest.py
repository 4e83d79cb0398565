"""Folders that a server is started for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.migrator.assistant import Connection

OLD = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 1)
words = ssc.socketTextStream("localhost", 9999).flatMap(lambda line: line.split(" "))
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
"""
NEW = OLD.replace("pyspark.streaming", "dstream_compat")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a job, its migrated form and recorded batches."""
    return write_project(tmp_path / "project")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A server for such a folder, for tests that change nothing in it."""
    connection = Connection(write_project(tmp_path_factory.mktemp("served") / "project"))
    yield connection
    connection.close()


def write_project(folder: Path) -> Path:
    for name in ("jobs", "moved", "recorded"):
        (folder / name).mkdir(parents=True)
    (folder / "jobs" / "job.py").write_text(OLD)
    (folder / "moved" / "new.py").write_text(NEW)
    lines = [
        {"format": 1, "interval": 1, "sources": {"socket:9999": {}}},
        {"batch": 1, "input": {"socket:9999": ["a b", "b"]}},
        {"batch": 2, "input": {"socket:9999": ["x y", "b a", "z z", "q c"]}},
        {"batch": 3, "input": {"socket:9999": ["b"]}},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "recorded" / "batches.jsonl").write_text(text)
    return folder
