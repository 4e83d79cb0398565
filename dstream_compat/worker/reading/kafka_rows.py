"""Makes records of the rows that Spark's Kafka source reads."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any, Final, NamedTuple

import pyarrow as pa

from ...wire.frames import COUNT_OF, RECORDS, Intervals, pack
from ...wire.task_properties import Ranges
from .row_intervals import by_interval
from .tables import TablePartition, TableReader

_COLUMNS: Final = ("key", "value", "partition", "offset", "timestamp")
_TOPIC: Final = "topic"


def columns(topic: str | None) -> tuple[str, ...]:
    """Return the columns that a reader needs.

    Parameters
    ----------
    topic : str, optional
        of all rows; to bring the same text to Python in each row costs a tenth of the reading
    """
    return _COLUMNS if topic is not None else (*_COLUMNS, _TOPIC)


class Range(NamedTuple):
    """Offsets of one partition, from the first to the last, exclusive."""

    topic: str
    partition: int
    start: int
    until: int


@dataclass(eq=False)
class KafkaReader(TableReader):
    """Files records under the interval of their timestamp, partition by partition.

    Parameters
    ----------
    nodes : sequence of int
        the streams that share the partitions, as consumers of one group do
    direct : bool
        every partition of the topics is a partition of each batch, and its offsets are noted
    metadata : bool
        records are (topic, partition, offset, key, value), not (key, value)
    decoded : (bool, bool)
        whether keys and values are text already
    topic : str, optional
        of all rows, which then lack that column
    """

    nodes: Sequence[int]
    direct: bool
    metadata: bool
    decoded: tuple[bool, bool]
    topic: str | None = None

    def read(
        self, batches: Iterable[pa.RecordBatch], intervals: Intervals, ranges: Ranges
    ) -> Iterator[TablePartition | bytes]:
        """Yield the records; a task reads one partition of a topic."""
        rows = filter(lambda batch: batch.num_rows, batches)
        first = next(iter(rows), None)
        if first is None:
            return
        topic = self.topic if self.topic is not None else first.column(_TOPIC)[0].as_py()
        own = topic, first.column("partition")[0].as_py()
        parts = [Range(*fields) for fields in ranges["parts"]]
        index = next(i for i, part in enumerate(parts) if part[:2] == own)
        node, src = self._place(index)
        begins: dict[int, int] = {}
        counts: dict[int, int] = {}
        for tick, group in by_interval(chain([first], rows), intervals, _milliseconds):
            noted = _note_offsets(group, tick, begins, counts)
            records = chain.from_iterable(map(self._records, noted))
            yield TablePartition(node, tick, src, records)
            deque(noted, 0)  # the rest, where a record could not be read
        until = parts[index].until
        notes = []
        for tick in reversed(intervals.ticks()):
            begin = begins.get(tick, until)
            if tick == intervals.lo + intervals.interval:
                begin = parts[index].start
            notes.append((tick, Range(*own, begin, until)))
            until = begin
        for tick, note in reversed(notes):
            if self.direct and tick not in counts:
                yield TablePartition(node, tick, src, ())
            yield _note(node, tick, src, [note], counts.get(tick, 0))

    def idle(self, intervals: Intervals, ranges: Ranges) -> Iterator[TablePartition | bytes]:
        """Yield the partitions without records, and the offsets of all."""
        if not self.direct:
            return
        parts = [Range(*fields) for fields in ranges["parts"]]
        for tick in intervals.ticks():
            is_first = tick == intervals.lo + intervals.interval
            read_ranges = parts if is_first else [part._replace(start=part.until) for part in parts]
            yield _note(self.nodes[0], tick, (), read_ranges, 0)
            for index, part in enumerate(parts):
                if part.start == part.until:
                    node, src = self._place(index)
                    yield TablePartition(node, tick, src, ())

    def _place(self, index: int) -> tuple[int, tuple[int, ...]]:
        return self.nodes[index % len(self.nodes)], (index,)

    def _records(self, batch: pa.RecordBatch) -> Iterator[Any]:
        keys = _values(batch.column("key"), self.decoded[0])
        values = _values(batch.column("value"), self.decoded[1])
        if not self.metadata:
            return zip(keys, values, strict=True)
        topics: Iterable[str]
        if self.topic is not None:
            topics = repeat(self.topic, batch.num_rows)
        else:
            topics = batch.column(_TOPIC).to_pylist()
        place = (batch.column(name).to_pylist() for name in ("partition", "offset"))
        return zip(topics, *place, keys, values, strict=True)


def _milliseconds(batch: pa.RecordBatch, intervals: Intervals) -> Any:
    return batch.column("timestamp").cast(pa.int64()).to_numpy() // 1000


def merge_ranges(notes: Iterable[bytes]) -> list[Range]:
    """Return the offsets of one interval, by partition: what tasks noted beats what was planned."""
    ranges: dict[tuple[str, int], Range] = {}
    for note in notes:  # the planned ones come first
        for fields in pickle.loads(note):
            part = Range(*fields)
            ranges[part.topic, part.partition] = part
    return [ranges[key] for key in sorted(ranges)]


def _note_offsets(
    batches: Iterable[pa.RecordBatch], tick: int, begins: dict[int, int], counts: dict[int, int]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        begins.setdefault(tick, batch.column("offset")[0].as_py())
        counts[tick] = counts.get(tick, 0) + batch.num_rows
        yield batch


def _note(node: int, tick: int, src: tuple[int, ...], parts: list[Range], count: int) -> bytes:
    payload = pickle.dumps([tuple(part) for part in parts])
    return pack(RECORDS, node | COUNT_OF, tick, src, payload, count=count)


def _values(column: pa.Array, decoded: bool) -> Iterable[Any]:
    if not decoded:
        values: list[bytes | None] = column.to_pylist()
        return values
    try:
        return column.cast(pa.string()).to_pylist()  # type: ignore[no-any-return]
    except pa.ArrowInvalid:  # let Python raise its own error, at the record that has it
        return (None if v is None else v.decode("utf-8") for v in column.to_pylist())
