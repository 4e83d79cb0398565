"""Runs the operators between two shuffles on a logical partition, without storing frames between.

Records are pulled through the user's functions as one chain of iterators, without intermediate
lists. Where several consumers read the same stream, its records are pickled once and each consumer
gets copies of its own, as if every one had computed the stream for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final, NamedTuple, Protocol

from ..wire import errors
from ..wire.frames import ABSENT, ERROR, RECORDS, chunks, load_records, pack, unpack
from . import attempts
from .columns.records import Texts
from .columns.translated import Native, makes_pairs, native_of
from .memory import worker_memory
from .operators.constant_pairs import ATOMS
from .operators.record_functions import Paired, RecordFunction, UnderOneKey, count_records
from .spill import SHARE, Copies, Pool

PartitionFunction = Callable[[int, Iterator[Any]], Iterable[Any]]
_PIECE: Final = 20
_LAST_SEQ: Final = (1 << 32) - 1

Tagged = tuple[int, bytes]
"""A frame with the slot that it is shuffled to."""


class MapSide(Protocol):
    """The map side of a shuffle: cuts records by target partition."""

    def write_from(
        self, src: tuple[int, ...], records: Iterable[Any]
    ) -> Iterator[tuple[int, int, bytes]]:
        """Yield (target partition, number of records, pickled records) of a partition."""


@dataclass
class Narrow:
    """Applies ``fn(partition index, iterator)`` and hands the result on."""

    fn: PartitionFunction
    then: list[Consumer] = field(default_factory=list)
    native: Native | None = None
    """How texts are computed on blocks, if they are."""


@dataclass
class UnionSide:
    """Hands the records of one side of a union on; ``index`` keeps the sides' order.

    Where partitions are ``merged``, those of the sides with the same number become one, and
    ``index`` is the number of its first piece.
    """

    index: int
    then: list[Consumer] = field(default_factory=list)
    merged: bool = False


@dataclass
class ToOutput:
    """Keeps the records for the driver: an output or an RDD function reads them there."""

    node: int


@dataclass
class ToShuffle:
    """Sends the records to the slots of an operator."""

    node: int
    map_side: MapSide
    by_partition: bool = False


Consumer = Narrow | UnionSide | ToOutput | ToShuffle


def of_texts(
    consumers: Sequence[Consumer], consumers_of: dict[int, list[Consumer]] | None = None
) -> list[Consumer]:
    """Return consumers of texts with what of them is computed on blocks now.

    Parameters
    ----------
    consumers : sequence of Consumer
        of a stream
    consumers_of : dict, optional
        those of streams that several ways lead to, by the identity of what was given
    """
    consumers_of = {} if consumers_of is None else consumers_of
    if id(consumers) not in consumers_of:
        consumers_of[id(consumers)] = [_of_texts(consumer, consumers_of) for consumer in consumers]
    return consumers_of[id(consumers)]


def _of_texts(consumer: Consumer, consumers_of: dict[int, list[Consumer]]) -> Consumer:
    if isinstance(consumer, UnionSide):
        return replace(consumer, then=of_texts(consumer.then, consumers_of))
    if isinstance(consumer, Narrow):
        native = native_of(consumer.fn)
        if isinstance(native, Native):
            return replace(consumer, then=of_texts(consumer.then, consumers_of), native=native)
    return consumer


class Layout(NamedTuple):
    """The slots of a query: slot p is the grouping value that Spark hashes to partition p."""

    slots: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of slots, which is the number of shuffle partitions."""
        return len(self.slots)

    def slot(self, part: int) -> int:
        """Return the slot that holds a logical partition."""
        return self.slots[part % len(self.slots)]


class _Position(NamedTuple):
    tick: int
    src: tuple[int, ...]
    first: int = 0
    """Number of the first frame: pieces of a merged partition have different ones."""


class Chain:
    """Runs the consumers of one layer.

    Parameters
    ----------
    layout : Layout
        the slots of the query
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._pool = Pool((worker_memory() << 20) // SHARE)

    def run(
        self, consumers: Sequence[Consumer], records: Iterable[Any], tick: int, src: tuple[int, ...]
    ) -> Iterator[Tagged]:
        """Feed one logical partition to consumers and yield the frames that leave the layer."""
        yield from self._run(consumers, records, _Position(tick, src))

    def _run(
        self, consumers: Sequence[Consumer], records: Iterable[Any], at: _Position
    ) -> Iterator[Tagged]:
        if len(consumers) == 1:
            yield from self._feed(consumers[0], records, at)
            return
        parts = records
        # Of pairs that have one constant, each consumer may make use as if it were the only one.
        pairs = records if isinstance(records, (Paired, UnderOneKey)) else None
        if pairs is not None and type(pairs.known.constant) in ATOMS:
            parts = pairs.parts
        with closing(Copies(self._pool)) as copies:
            try:
                copies.keep(_kept_payloads(parts))
            except errors.USER_ERRORS as error:
                yield from self.fail(consumers, attempts.error_of(error), at.tick)
                return
            for consumer in consumers:
                again: Iterable[Any]
                if isinstance(parts, Texts):
                    again = parts.again(map(unpack, copies))
                else:
                    again = _load_all(copies)
                if pairs is not None and parts is not records:
                    again = replace(pairs, parts=again)
                yield from self._feed(consumer, again, at)

    def _feed(self, consumer: Consumer, records: Iterable[Any], at: _Position) -> Iterator[Tagged]:
        match consumer:
            case Narrow():
                try:
                    result = _results(consumer, at.src[-1] if at.src else 0, records)
                except errors.USER_ERRORS as error:
                    payload = attempts.error_of(error)
                    yield from self.fail([consumer], payload, at.tick)
                    return
                yield from self._run(consumer.then, result, at)
            case UnionSide():
                if consumer.merged:
                    side = at._replace(first=at.first + (consumer.index << _PIECE) & _LAST_SEQ)
                else:
                    side = at._replace(src=(consumer.index, *at.src))
                yield from self._run(consumer.then, records, side)
            case ToOutput():
                yield from self._to_output(consumer, records, at)
            case ToShuffle():
                yield from self._to_shuffle(consumer, records, at)

    def _to_output(
        self, consumer: ToOutput, records: Iterable[Any], at: _Position
    ) -> Iterator[Tagged]:
        slot = self.layout.slot(at.src[-1] if at.src else 0)
        seq = at.first
        it = records.frames() if isinstance(records, Texts) else _pickled_chunks(records)
        while True:
            try:
                kind, count, payload = next(it)
            except StopIteration:
                break
            except errors.USER_ERRORS as error:
                yield from self.fail([consumer], attempts.error_of(error), at.tick)
                return
            yield slot, pack(kind, consumer.node, at.tick, at.src, payload, seq=seq, count=count)
            seq += 1
        if seq == at.first:  # an empty partition is still a partition
            yield slot, pack(RECORDS, consumer.node, at.tick, at.src)

    def _to_shuffle(
        self, consumer: ToShuffle, records: Iterable[Any], at: _Position
    ) -> Iterator[Tagged]:
        it = consumer.map_side.write_from(at.src, records)
        seq = at.first
        while True:
            try:
                part, count, payload = next(it)
            except StopIteration:
                break
            except errors.USER_ERRORS as error:
                yield from self.fail([consumer], attempts.error_of(error), at.tick)
                return
            if consumer.by_partition:
                part = sum(at.src) % self.layout.size  # any slot will do: it stays whole
            yield (
                self.layout.slot(part),
                pack(
                    RECORDS,
                    consumer.node,
                    at.tick,
                    at.src,
                    payload,
                    part=part,
                    seq=seq,
                    count=count,
                ),
            )
            seq += 1

    def absent(self, consumers: Sequence[Consumer], tick: int) -> Iterator[Tagged]:
        """Yield what tells operators that the stream before them has no RDD at tick."""
        for consumer in consumers:
            if isinstance(consumer, ToShuffle):
                for slot in self.layout.slots:
                    yield slot, pack(ABSENT, consumer.node, tick)

    def fail(self, consumers: Sequence[Consumer], payload: bytes, tick: int) -> Iterator[Tagged]:
        """Yield the error frames that make everything downstream of consumers fail at tick."""
        for consumer in consumers:
            match consumer:
                case Narrow() | UnionSide():
                    yield from self.fail(consumer.then, payload, tick)
                case ToOutput():
                    yield self.layout.slots[0], pack(ERROR, consumer.node, tick, (), payload)
                case ToShuffle():
                    for slot in self.layout.slots:
                        yield slot, pack(ERROR, consumer.node, tick, (), payload)


def _results(consumer: Narrow, index: int, records: Iterable[Any]) -> Iterable[Any]:
    fn = consumer.fn
    if isinstance(records, Texts):
        if consumer.native is not None and isinstance(fn, RecordFunction):
            return records.then(consumer.native, fn)
        if isinstance(fn, RecordFunction) and makes_pairs(fn):
            return fn.results(records)
        if fn is count_records:
            return [records.size()]
    values = iter(records)
    return fn.results(values) if isinstance(fn, RecordFunction) else fn(index, values)


def _pickled_chunks(records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
    return ((RECORDS, count, payload) for count, payload in chunks(records))


def _kept_payloads(records: Iterable[Any]) -> Iterator[bytes]:
    if isinstance(records, Texts):
        return (pack(kind, 0, 0, (), data, count=n) for kind, n, data in records.frames())
    return (payload for _, payload in chunks(records))


def _load_all(copies: Iterable[bytes]) -> Iterator[Any]:
    return chain.from_iterable(map(load_records, copies))
