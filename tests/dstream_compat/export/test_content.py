"""Positions as a job of Structured Streaming takes them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dstream_compat.export.content import file_position, kafka_position, windows_left
from dstream_compat.old_checkpoint.content import REDUCE, UPDATE, WINDOW

NAMES = [
    "plain",
    "a b",
    "p%25",
    "ü",
    "q'uo",
    "s;x,y",
    "h#a",
    "qu[e]",
    "e\\k",
    "x+y",
    'd"q',
    "n@~!$&(=)",
]


def test_offsets_are_those_of_the_option() -> None:
    found = kafka_position(1, "events", {("b", 1): 5, ("a", 0): 3, ("b", 0): 4})
    assert json.loads(found.given["startingOffsets"]) == {"a": {"0": 3}, "b": {"0": 4, "1": 5}}


@pytest.mark.slow
def test_files_by_any_name(spark: SparkSession, tmp_path: Path) -> None:
    """A batch of a query has the same columns as a DataFrame."""
    for number, name in enumerate(NAMES):
        for kind in ("read", "old", "unread", "new"):
            path = tmp_path / f"{kind} {name}"
            path.write_text(f"{kind}{number}\n")
            # what is unread was found by the old job; it is older than all that it looks for
            time = 1 if kind in ("old", "unread") else 10 + number
            os.utime(path, (time, time))
    read, unread = (
        [str(tmp_path / f"{kind} {name}") for name in NAMES] for kind in ("read", "unread")
    )
    read = [f"file:{path}" for path in read]
    found = file_position(1, "in", 5000, read, unread)
    rows = spark.read.text(str(tmp_path)).where(found.given["condition"]).collect()
    wanted = [f"{kind}{number}" for kind in ("unread", "new") for number in range(len(NAMES))]
    assert sorted(row.value for row in rows) == sorted(wanted)
    assert found.said == "12 files read, 12 known and not read"
    nothing = file_position(1, "in", 5000, [], []).given["condition"]
    assert spark.read.text(str(tmp_path)).where(nothing).count() == 2 * len(NAMES)


def test_windows_begin_empty() -> None:
    assert windows_left([(1, UPDATE, None)]) == []
    (said,) = windows_left([(1, UPDATE, None), (2, WINDOW, 3000), (3, REDUCE, 5000)])
    assert "#2 window of 3000 ms, #3 reduceByKeyAndWindow of 5000 ms with an inverse" in said
