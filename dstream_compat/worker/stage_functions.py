"""The functions of Arrow batches that the tasks of a query's plan run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from ..wire.arrow import to_batches, to_rows
from ..wire.reports import Reports, leaving_frames
from ..wire.task_properties import current_stage, task_intervals, task_table_ranges
from .reading.entries import read_entries
from .reading.entry_place import EntryPlace
from .reading.remote import RemoteReader
from .setup import set_up_worker
from .stages import SlotStage, SourceStage

if TYPE_CHECKING:
    import pyarrow as pa

ArrowFunction = Callable[["Iterator[pa.RecordBatch]"], "Iterator[pa.RecordBatch]"]


def source_function(
    name: str, begun: SourceStage, slot: int, place: EntryPlace, reports: Reports | None
) -> ArrowFunction:
    """Return what reads entries and runs the source stage.

    Parameters
    ----------
    name : str
        of the stage
    begun : SourceStage
        the stage as the query begins with it
    slot : int
        of frames that leave the query
    place : EntryPlace
        where tasks find what they read
    reports : Reports, optional
        of the last stage
    """

    def source_stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        set_up_worker()
        stage = current_stage(name, begun)
        frames = stage.process((0, frame) for frame in _read(batches, place))
        return to_batches(leaving_frames(frames, slot, reports))

    return source_stage


def _read(batches: Iterable[pa.RecordBatch], place: EntryPlace) -> Iterator[bytes]:
    """Yield the frames of tasks, whose numbers and servers, if they have one, are in rows."""
    for batch in batches:
        numbers = batch.column(0).to_pylist()
        servers = batch.column(1).to_pylist() if batch.num_columns > 1 else [None] * len(numbers)
        for number, address in zip(numbers, servers, strict=True):
            micro_batch, task = divmod(number, place.slots)
            with closing(RemoteReader(address)) as reader:
                yield from read_entries(place.read(micro_batch, task, reader), reader)


def table_function(
    name: str, begun: SourceStage, slot: int, number: int, reports: Reports | None
) -> ArrowFunction:
    """Return what reads the rows of the table of a number and runs the source stage.

    The other parameters are those of ``source_function``.
    """

    def table_stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        set_up_worker()
        stage = current_stage(name, begun)
        ranges = task_table_ranges()[number]
        parts = stage.tables[number].read(batches, task_intervals(), ranges)
        return to_batches(leaving_frames(stage.feed(parts), slot, reports))

    return table_stage


def slot_function(name: str, begun: SlotStage, reports: Reports | None) -> ArrowFunction:
    """Return what runs a stage without state behind a shuffle.

    The parameters are those of ``source_function``.
    """

    def slot_stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        set_up_worker()
        stage = current_stage(name, begun)
        frames = stage.process(to_rows(batches))  # a partition is one slot
        return to_batches(leaving_frames(frames, stage.layout.slot(0), reports))

    return slot_stage
