"""Which DataFrames can be a source, and what of them is saved; with a stand-in for Spark's."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from pyspark.sql.types import (
    LongType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from dstream_compat.exceptions import CheckpointError
from dstream_compat.source.tables.frames import FrameSource, FrameTable

SCHEMA = StructType(
    [
        StructField("at", TimestampType()),
        StructField("local", TimestampNTZType()),
        StructField("number", LongType()),
    ]
)


class Frame:
    """A DataFrame of Spark, as far as its source looks at it."""

    def __init__(self, streaming: bool = True) -> None:
        self.isStreaming = streaming
        self.schema = SCHEMA

    def __reduce__(self) -> Any:
        raise TypeError("a DataFrame cannot be pickled")


def table(time: str | None = None, streaming: bool = True) -> FrameTable:
    frame: Any = Frame(streaming)
    return FrameTable(frame, time)


def load(made: FrameTable) -> Any:
    nothing: Any = None
    return made.open([]).load(nothing, nothing)


def test_a_frame_that_does_not_stream_is_refused() -> None:
    with pytest.raises(ValueError, match=r"spark\.readStream"):
        table(streaming=False)


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("number", "no column 'number' of timestamps"),
        ("missing", "no column 'missing' of timestamps; its columns are struct<at:timestamp,"),
        ("local", "'local' is of type TIMESTAMP_NTZ"),
    ],
)
def test_a_column_that_is_no_point_in_time_is_refused(time: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        table(time)


def test_a_frame_is_given_as_it_is() -> None:
    frame: Any = Frame()
    assert load(FrameTable(frame, "at")) is frame


def test_a_frame_is_not_saved() -> None:
    saved: FrameTable = pickle.loads(pickle.dumps(table("at")))
    with pytest.raises(CheckpointError, match="rebuildGraph"):
        load(saved)


def test_the_driver_plans_no_records_of_it() -> None:
    nothing: Any = None
    opened = FrameSource(table()).open(nothing, 1000, None, nothing)
    assert opened.plan(nothing, [1000, 2000]) == {1000: [], 2000: []}
