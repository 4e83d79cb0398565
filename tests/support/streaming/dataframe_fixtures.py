"""A folder of files that a streaming DataFrame reads."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

SCHEMA = "at timestamp, word string, number int"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.fixture
def spark(sc: SparkContext) -> SparkSession:
    return SparkSession.builder.getOrCreate()


class Folder:
    """A folder that a streaming DataFrame reads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._count = 0
        path.mkdir()

    def put(self, *rows: tuple[float, str, int | None]) -> None:
        """Add a file of (seconds, word, number)."""
        self._count += 1
        lines = [
            json.dumps(
                {"at": (EPOCH + timedelta(seconds=at)).isoformat(), "word": word, "number": n}
            )
            for at, word, n in rows
        ]
        draft = self._path / f".{self._count}"
        draft.write_text("\n".join(lines))
        draft.rename(self._path / f"{self._count}.json")

    def frame(self, spark: SparkSession) -> DataFrame:
        return spark.readStream.schema(SCHEMA).json(str(self._path))


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "in")
