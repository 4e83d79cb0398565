"""The offsets that results know, with batches whose rows are given."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import MagicMock

import pytest
from pyspark.sql import Row

from migrator.structured.builder.helpers import OFFSETS, START, source_of

Ranges = list[tuple[str, int, int, int]]


@pytest.fixture
def names() -> dict[str, Any]:
    """What a result has: its helpers and what they use."""
    given: dict[str, Any] = {"F": MagicMock(), "Row": Row, "json": json}
    for name in (OFFSETS, START):
        exec(source_of(name), given)
    return given


@pytest.fixture
def ranges(names: dict[str, Any]) -> Callable[..., Ranges]:
    """The function that gives the offsets of a stream in a batch, from those of its records."""

    def ranges_of(stream: str, *rows: tuple[str, int, int, int]) -> Ranges:
        batch = MagicMock()
        fields = ("topic", "partition", "fromOffset", "untilOffset")
        found = [Row(**dict(zip(fields, row, strict=True))) for row in rows]
        batch.groupBy.return_value.agg.return_value.collect.return_value = found
        rdd = names["kafka_records"](batch, stream)
        return [tuple(getattr(one, name) for name in fields) for one in rdd.offsetRanges()]

    return ranges_of


def test_streams_have_offsets_of_their_own(ranges: Callable[..., Ranges]) -> None:
    assert ranges("one", ("t", 0, 0, 5)) == [("t", 0, 0, 5)]
    assert ranges("two", ("u", 0, 3, 4)) == [("u", 0, 3, 4)]
    assert ranges("one") == [("t", 0, 5, 5)]


def test_ends_are_kept_if_nothing_asks_for_them(
    names: dict[str, Any], ranges: Callable[..., Ranges]
) -> None:
    names["kafka_start"](["t"], {("t", 0): 100}, "earliest", "one")
    batch = MagicMock()
    rows = [Row(topic="t", partition=0, fromOffset=100, untilOffset=110)]
    batch.groupBy.return_value.agg.return_value.collect.return_value = rows
    names["kafka_records"](batch, "one")
    assert ranges("one") == [("t", 0, 110, 110)]


def test_a_batch_that_runs_again_has_the_ranges_of_its_records(
    names: dict[str, Any], ranges: Callable[..., Ranges]
) -> None:
    """The file of the job already has the end of the batch, with which the job begins."""
    names["kafka_start"](["t"], {("t", 0): 110, ("t", 1): 7}, "earliest", "one")
    assert ranges("one", ("t", 0, 100, 110)) == [("t", 0, 100, 110), ("t", 1, 7, 7)]
    assert ranges("one") == [("t", 0, 110, 110), ("t", 1, 7, 7)]
