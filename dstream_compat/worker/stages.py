"""The two kinds of stages that a query consists of: one over source frames, one over slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..settings import NEVER
from ..wire import errors
from ..wire.frames import (
    ABSENT,
    COUNT_OF,
    ERROR,
    IN_BLOCKS,
    INITIAL,
    INTERVALS,
    RECORDS,
    Frame,
    Intervals,
    decode_all,
    pack,
    pack_intervals,
    unpack,
    unpack_intervals,
)
from ..wire.task_properties import check_intervals, task_table_ranges
from . import attempts
from .chain import Chain, Consumer, Layout, Tagged, of_texts
from .columns.records import Texts
from .inbox import Inbox
from .memory import worker_memory
from .operators.base import NO_STATE, Context, SlotOp, StateAccess, UpstreamError
from .spill import SHARE

if TYPE_CHECKING:
    from .reading.tables import TablePartition, TableReader


PairCutter = Callable[[Iterable[Any]], Iterator[tuple[int, int, bytes]]]
"""Cuts (key, value) pairs by partition; yields (partition, number of pairs, pickled pairs)."""


class SourceStage:
    """The first stage: decodes what sources read and runs the narrow operators behind them.

    Parameters
    ----------
    layout : Layout
        the slots of the query
    consumers : mapping
        source node id to its consumers
    last : bool
        True when no slot stage follows
    tables : sequence of TableReader
        readers of what Spark reads beside our own source
    texts : collection of int
        the sources whose records are texts
    native : str
        whether texts are computed on blocks: ``auto``, ``always`` or ``never``
    initial : mapping, optional
        id of each operator with state to what cuts the pairs of its initial state by partition
    """

    def __init__(
        self,
        layout: Layout,
        consumers: Mapping[int, Sequence[Consumer]],
        last: bool,
        tables: Sequence[TableReader] = (),
        texts: Collection[int] = (),
        native: str = NEVER,
        initial: Mapping[int, PairCutter] | None = None,
    ) -> None:
        self._chain = Chain(layout)
        self._consumers = consumers
        self._last = last
        self._initial = initial or {}
        self.tables = tables
        self._texts = () if native == NEVER else frozenset(texts)
        self._native = native

    def __getstate__(self) -> dict[str, Any]:
        # What functions see may have changed since the last time.
        seen: dict[int, list[Consumer]] = {}
        consumers = {
            node: of_texts(consumers_of_node, seen) if node in self._texts else consumers_of_node
            for node, consumers_of_node in self._consumers.items()
        }
        return {**self.__dict__, "_consumers": consumers}

    def feed(self, parts: Iterable[TablePartition | bytes]) -> Iterator[Tagged]:
        """Yield the frames that leave the stage for what a task read of a table."""
        for part in parts:
            if isinstance(part, bytes):
                yield self._chain.layout.slot(0), part
            else:
                consumers = self._consumers[part.node]
                yield from self._chain.run(consumers, part.records, part.tick, part.src)

    def process(self, rows: Iterable[Tagged]) -> Iterator[Tagged]:
        """Yield the frames that leave the stage for the source frames of one task."""
        frames = ((slot, unpack(data), data) for slot, data in rows)
        for (kind, node, tick, src), group in groupby(frames, _partition_of):
            if kind == INTERVALS:
                for slot, frame, data in group:
                    yield from self._clock(slot, frame, data)
            elif kind == INITIAL:
                pairs = decode_all(frame for _, frame, _ in group)
                for seq, (part, count, payload) in enumerate(self._initial[node](pairs)):
                    place = {"part": part, "seq": seq, "count": count}
                    yield (
                        self._chain.layout.slot(part),
                        pack(INITIAL, node, tick, src, payload, **place),
                    )
            elif kind == ERROR:
                for _, frame, _ in group:
                    yield from self._chain.fail(self._consumers[node], bytes(frame.payload), tick)
            elif kind == ABSENT:
                yield from self._chain.absent(self._consumers[node], tick)
            elif node & COUNT_OF:
                for _, _, data in group:
                    yield self._chain.layout.slot(0), data
            else:
                of_group = (frame for _, frame, _ in group)
                is_text = node in self._texts
                tally = Counter[int]()
                records = Texts(of_group, self._native, tally) if is_text else decode_all(of_group)
                yield from self._chain.run(self._consumers[node], records, tick, src)
                if in_blocks := tally.total():
                    yield self._chain.layout.slot(0), pack(IN_BLOCKS, 0, 0, count=in_blocks)

    def _clock(self, slot: int, frame: Frame, data: bytes) -> Iterator[Tagged]:
        intervals = unpack_intervals(frame)
        if self.tables:
            check_intervals(intervals)
            ranges_of_tables = task_table_ranges()
            for reader, ranges in zip(self.tables, ranges_of_tables, strict=True):
                yield from self.feed(reader.idle(intervals, ranges))
        if self._last:
            yield slot, data
            return
        for part, target in enumerate(self._chain.layout.slots):
            yield target, pack_intervals(intervals, part)


def _partition_of(row: tuple[int, Frame, bytes]) -> tuple[int, int, int, tuple[int, ...]]:
    frame = row[1]
    kind = frame.kind if frame.kind in (ABSENT, INTERVALS, ERROR, INITIAL) else 0
    return kind, frame.node, frame.tick, frame.src


class SlotStage:
    """A stage behind a shuffle: runs every operator of a layer, interval by interval, in one slot.

    Parameters
    ----------
    layout : Layout
        the slots of the query
    ops : sequence of SlotOp
        the operators of the layer, each after those that it depends on
    consumers : mapping
        (operator node id, port) to its consumers
    """

    def __init__(
        self,
        layout: Layout,
        ops: Sequence[SlotOp],
        consumers: Mapping[tuple[int, int], Sequence[Consumer]],
    ) -> None:
        self._chain = Chain(layout)
        self._ops = ops
        self._consumers = consumers
        self._memory = worker_memory()

    @property
    def layout(self) -> Layout:
        """The slots of the query."""
        return self._chain.layout

    @property
    def ops(self) -> Sequence[SlotOp]:
        """The operators of the layer."""
        return self._ops

    @property
    def stateful(self) -> bool:
        """Whether an operator of the stage keeps state between intervals."""
        return any(op.stateful for op in self._ops)

    def process(self, rows: Iterable[Tagged], state: StateAccess = NO_STATE) -> Iterator[Tagged]:
        """Yield the frames that leave the stage for all frames of one slot.

        Frames of operators in other layers pass through. No order of the rows is assumed.
        """
        with closing(Inbox((self._memory << 20) // SHARE)) as inbox:
            yield from self._process(rows, state, inbox)

    def _process(
        self, rows: Iterable[Tagged], state: StateAccess, inbox: Inbox
    ) -> Iterator[Tagged]:
        nodes = {op.node for op in self._ops}
        intervals: Intervals | None = None
        own_slot = part = 0
        for slot, data in rows:
            frame = unpack(data)
            if frame.kind == INTERVALS:
                if intervals is not None and slot != own_slot:
                    raise RuntimeError(f"slots {own_slot} and {slot} came together")
                intervals, own_slot, part = unpack_intervals(frame), slot, frame.part
            elif frame.node in nodes:
                inbox.add(frame)
            else:
                yield slot, data
        if intervals is None:
            if inbox:
                raise RuntimeError(
                    "a slot received records without the intervals of its micro-batch"
                )
            return
        for op in self._ops:
            if initial := inbox.of_kind(op.node, INITIAL):
                first = intervals.zero + op.input_slide
                stamped = [frame._replace(tick=first) for frame in sorted(initial, key=_order)]
                op.load_initial(stamped, state)
        for tick in intervals.ticks():
            for op in self._ops:
                if intervals.is_valid(tick, op.input_slide):
                    frames = inbox.take(op.node, tick)
                    yield from self._run(op, frames, tick, part, intervals, state)
        yield own_slot, pack_intervals(intervals, part)

    def _run(
        self,
        op: SlotOp,
        frames: list[Frame],
        tick: int,
        slot: int,
        intervals: Intervals,
        state: StateAccess,
    ) -> Iterator[Tagged]:
        error = next((bytes(f.payload) for f in frames if f.kind == ERROR), None)
        data = sorted((f for f in frames if f.kind not in (ABSENT, ERROR)), key=_order)
        absent = any(f.kind == ABSENT for f in frames)
        at = Context(tick, slot, intervals, state, self._chain.layout.size, absent)
        results = op.run(at, data, error)
        while True:
            try:
                port, src, records = next(results)
            except StopIteration as end:
                keys: int | None = end.value
                break
            except UpstreamError as failed:
                yield from self._fail(op, failed.payload, tick)
                return
            except errors.USER_ERRORS as failed:
                yield from self._fail(op, attempts.error_of(failed), tick)
                return
            yield from self._chain.run(self._consumers.get((op.node, port), ()), records, tick, src)
        if op.counts_keys and intervals.is_valid(tick, op.slide):
            assert keys is not None
            count = pack(RECORDS, op.node | COUNT_OF, tick, (slot,), count=keys)
            yield self._chain.layout.slot(0), count

    def _fail(self, op: SlotOp, payload: bytes, tick: int) -> Iterator[Tagged]:
        for (node, _), consumers in self._consumers.items():
            if node == op.node:
                yield from self._chain.fail(consumers, payload, tick)


def _order(frame: Frame) -> tuple[tuple[int, ...], int]:
    return frame.src, frame.seq
