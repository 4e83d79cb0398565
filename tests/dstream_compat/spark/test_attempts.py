"""What user code raises: Spark first makes its attempts at the task, as with DStreams."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkConf

from dstream_compat.spark.attempts import allowed_attempts, attempts_of
from tests.support.streaming.processes import run_job


@pytest.mark.parametrize(
    ("master", "setting", "expected"),
    [
        ("local", None, 1),
        ("local[2]", "9", 1),
        ("local[*]", None, 1),
        ("local[2,4]", None, 4),
        ("local[*, 3]", "9", 3),
        ("local-cluster[2,1,1024]", None, 4),
        ("spark://host:7077", None, 4),
        ("yarn", "8", 8),
        ("k8s://https://host:6443", "1", 1),
    ],
)
def test_allowed_attempts(master: str, setting: str | None, expected: int) -> None:
    assert allowed_attempts(master, setting) == expected


class Cluster:
    master = "spark://host:7077"

    def __init__(self, **settings: str) -> None:
        self._conf = SparkConf(loadDefaults=False)
        for name, value in settings.items():
            self._conf.set(f"spark.{name.replace('_', '.')}", value)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, 4),
        ({"task_maxFailures": "6"}, 6),
        ({"excludeOnFailure_enabled": "false"}, 4),
        ({"excludeOnFailure_enabled": "true"}, 1),
        ({"excludeOnFailure_taskAndStage_enabled": "TRUE", "task_maxFailures": "6"}, 1),
    ],
)
def test_attempts_of_a_cluster(settings: dict[str, str], expected: int) -> None:
    sc: Any = Cluster(**settings)
    assert attempts_of(sc) == expected


@pytest.mark.slow
def test_functions_that_fail_at_first(tmp_path: Path) -> None:
    outputs, notes = [], []
    for engine in ("real", "ours"):
        folder = tmp_path / engine
        folder.mkdir()
        done = run_job("attempts", engine, str(folder))
        assert done.code == 0, done.err[-3000:]
        rows: list[list[Any]] = [json.loads(line) for line in done.out.splitlines()]
        outputs.append({(name, at): result for name, at, result in rows})
        notes.append(
            {
                path.name: len(path.read_text().split())
                for path in folder.iterdir()
                if path.is_file()
            }
        )
    assert outputs[1] == outputs[0]
    assert outputs[1]["map", 1.0] == [1, 2, 3, 4, 5, 6]
    assert outputs[1]["always", 2.0] is True, "it failed with its own error"
    assert outputs[1]["always", 1.0] == [1, 2, 3, 4, 5, 6]
    assert outputs[1]["state", 2.0] == [[0, 20], [1, 16]]
    assert notes[1]["always"] == 3 == notes[0]["always"]
