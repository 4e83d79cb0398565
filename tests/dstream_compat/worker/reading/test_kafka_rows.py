"""Records filed under the interval of their time; no Spark, no Kafka."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest

from dstream_compat.wire.frames import COUNT_OF, Intervals, unpack
from dstream_compat.worker.reading.kafka_rows import (
    KafkaReader,
    Range,
    _milliseconds,
    columns,
    merge_ranges,
)
from dstream_compat.worker.reading.row_intervals import cut
from dstream_compat.worker.reading.tables import TablePartition

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rows(times: Sequence[int], start: int = 0, partition: int = 0) -> pa.RecordBatch:
    """Return records with these times (ms); the values are their offsets."""
    count = len(times)
    offsets = range(start, start + count)
    fields = {
        "key": pa.array([None] * count, pa.binary()),
        "value": pa.array([str(offset).encode() for offset in offsets], pa.binary()),
        "topic": pa.array(["t"] * count, pa.string()),
        "partition": pa.array([partition] * count, pa.int32()),
        "offset": pa.array(list(offsets), pa.int64()),
        "timestamp": pa.array(
            [EPOCH + timedelta(milliseconds=time) for time in times], pa.timestamp("us", "UTC")
        ),
    }
    return pa.record_batch(list(fields.values()), names=list(fields))


def ticks_of(batches: list[pa.RecordBatch], clock: Intervals) -> list[tuple[int, list[int]]]:
    return [
        (tick, b.column("offset").to_pylist()) for tick, b in cut(batches, clock, _milliseconds)
    ]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([5, 1000, 1001], [(1000, [0, 1]), (2000, [2])]),
        ([2500, 100], [(3000, [0, 1])]),  # never before an earlier record
        ([99_000], [(3000, [0])]),
        ([-1], [(1000, [0])]),  # Kafka's word for: no time
        ([], []),
    ],
)
def test_interval_of_a_record(times: list[int], expected: Any) -> None:
    assert ticks_of([rows(times)] if times else [], Intervals(0, 3000, 0, 1000)) == expected


def test_order_holds_from_one_batch_to_the_next() -> None:
    batches = [rows([2500]), rows([100, 2999], 1)]
    assert ticks_of(batches, Intervals(0, 3000, 0, 1000)) == [(3000, [0]), (3000, [1, 2])]


def test_one_interval_takes_all() -> None:
    assert ticks_of([rows([1, 99_999])], Intervals(4000, 5000, 0, 1000)) == [(5000, [0, 1])]


def read(
    reader: KafkaReader, batches: list[pa.RecordBatch], clock: Intervals, parts: list[list[Any]]
) -> tuple[dict[tuple[int, int], list[Any]], dict[int, list[Range]], dict[int, int]]:
    """Return records by (interval, partition), offsets and counts by interval."""
    records: dict[tuple[int, int], list[Any]] = {}
    notes: dict[int, list[bytes]] = {}
    counts: dict[int, int] = {}
    ranges = {"parts": parts}
    for one in [*reader.idle(clock, ranges), *_drained(reader.read(batches, clock, ranges))]:
        if isinstance(one, TablePartition):
            assert (one.tick, one.src[0]) not in records
            records[one.tick, one.src[0]] = list(one.records)
        else:
            frame = unpack(one)
            assert frame.node & COUNT_OF
            notes.setdefault(frame.tick, []).append(bytes(frame.payload))
            counts[frame.tick] = counts.get(frame.tick, 0) + frame.count
    return records, {tick: merge_ranges(found) for tick, found in notes.items()}, counts


def _drained(parts: Any) -> Any:
    for part in parts:
        yield (
            part._replace(records=list(part.records)) if isinstance(part, TablePartition) else part
        )


def of_topic(topic: str | None, batches: Sequence[pa.RecordBatch]) -> list[pa.RecordBatch]:
    """Return the columns that a reader of this topic, or of several, asks for."""
    return [batch.select(list(columns(topic))) for batch in batches]


def test_rows_have_the_topic_only_where_there_are_several() -> None:
    assert {*columns(None)} - {*columns("t")} == {"topic"}
    assert {*columns(None)} == {*rows([1]).schema.names}


@pytest.mark.parametrize("topic", ["t", None])
def test_every_partition_is_in_every_interval_and_offsets_are_whole(topic: str | None) -> None:
    clock = Intervals(0, 3000, 0, 1000)
    parts = [["t", 0, 10, 14], ["t", 1, 7, 7]]
    reader = KafkaReader([5], True, False, (True, True), topic)
    batches = of_topic(topic, [rows([500, 600], 10), rows([2100], 12)])
    records, offsets, counts = read(reader, batches, clock, parts)
    assert records == {
        (1000, 0): [(None, "10"), (None, "11")],
        (2000, 0): [],
        (3000, 0): [(None, "12")],
        **{(tick, 1): [] for tick in clock.ticks()},
    }
    # the last offset of partition 0 has no record: a transaction ended there
    assert offsets == {
        1000: [Range("t", 0, 10, 12), Range("t", 1, 7, 7)],
        2000: [Range("t", 0, 12, 12), Range("t", 1, 7, 7)],
        3000: [Range("t", 0, 12, 14), Range("t", 1, 7, 7)],
    }
    assert counts == {1000: 2, 2000: 0, 3000: 1}


def test_offsets_without_any_record_belong_to_the_first_interval() -> None:
    reader = KafkaReader([5], True, False, (True, True))
    _, offsets, _ = read(reader, [], Intervals(0, 2000, 0, 1000), [["t", 0, 3, 4]])
    assert offsets == {1000: [Range("t", 0, 3, 4)], 2000: [Range("t", 0, 4, 4)]}


@pytest.mark.parametrize("topic", ["t", None])
def test_metadata_and_raw_values(topic: str | None) -> None:
    reader = KafkaReader([5], True, True, (False, False), topic)
    batches = of_topic(topic, [rows([1, 2], 3)])
    records, _, _ = read(reader, batches, Intervals(0, 1000, 0, 1000), [["t", 0, 3, 5]])
    assert records == {(1000, 0): [("t", 0, 3, None, b"3"), ("t", 0, 4, None, b"4")]}


def test_bytes_that_are_no_text_fail_where_it_is_read() -> None:
    batch = rows([1, 2]).set_column(1, "value", pa.array([b"ok", b"\xff"], pa.binary()))
    reader = KafkaReader([5], True, False, (True, True))
    part = next(reader.read([batch], Intervals(0, 1000, 0, 1000), {"parts": [["t", 0, 0, 2]]}))
    assert isinstance(part, TablePartition)
    found = iter(part.records)
    assert next(found) == (None, "ok")
    with pytest.raises(UnicodeDecodeError):
        next(found)
