"""Batches kept in state: a small one is one value, a large one is read back piece by piece."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from ...wire.frames import Frame
from ..inbox import size_of
from .base import StateAccess, StateStoreError, lasting_error
from .whole_partition import by_source

_SMALL: Final = 1 << 16
_PIECE: Final = 1 << 20

Source = tuple[int, ...]
_Plain = list[tuple[object, ...]]


class _Header(NamedTuple):
    error: bytes | None
    frames: Sequence[Frame]
    pieces: Sequence[tuple[Source, int]]
    """Of a large batch, whose frames are elsewhere: each partition's number of pieces."""


class KeptBatch:
    """One batch of a stream, of which a worker holds one piece at a time.

    Parameters
    ----------
    state : StateAccess
        of the slot
    name : str
        of the batch's value
    header : _Header
        that value
    """

    def __init__(self, state: StateAccess, name: str, header: _Header) -> None:
        self._state = state
        self._name = name
        self._header = header

    @property
    def error(self) -> bytes | None:
        """The captured error of a batch that failed."""
        return self._header.error

    def partitions(self) -> Iterator[tuple[Source, Iterable[Frame]]]:
        """Yield the partitions that the batch came from, and the frames of each, in order."""
        if not self._header.pieces:
            yield from by_source(self._header.frames).items()
            return
        first = 0
        for src, count in self._header.pieces:
            yield src, self._read(range(first, first + count))
            first += count

    def _read(self, pieces: range) -> Iterator[Frame]:
        for piece in pieces:
            data = self._state.get(_piece(self._name, piece))
            if data is None:
                raise StateStoreError(f"piece {piece} of batch {self._name} is not in the state")
            yield from map(Frame._make, pickle.loads(data))


class KeptBatches:
    """The batches of one operator in a slot's state.

    Parameters
    ----------
    state : StateAccess
        of the slot
    number : int
        the operator's
    """

    def __init__(self, state: StateAccess, number: int) -> None:
        self._state = state
        self._number = number

    def put(self, tick: int, frames: Sequence[Frame], error: bytes | None) -> None:
        """Keep a batch.

        Parameters
        ----------
        tick : int
            its time, in milliseconds
        frames : sequence of Frame
            ordered by source partition and sequence
        error : bytes, optional
            the captured error, if the batch failed
        """
        error = None if error is None else lasting_error(error, tick)
        name = self._name(tick)
        if sum(map(size_of, frames)) <= _SMALL:
            self._put(name, error, _plain(frames), [])
            return
        counts: list[tuple[Source, int]] = []
        number = 0
        for src, group in groupby(frames, attrgetter("src")):
            first = number
            for piece in _pieces(group):
                self._state.put(_piece(name, number), pickle.dumps(piece, 5))
                number += 1
            counts.append((src, number - first))
        self._put(name, error, [], counts)

    def get(self, ticks: Sequence[int]) -> Iterator[tuple[int, KeptBatch]]:
        """Yield the batches of some times that were kept."""
        names = list(map(self._name, ticks))
        for tick, name, data in zip(ticks, names, self._state.get_many(names), strict=True):
            if data is not None:
                yield tick, KeptBatch(self._state, name, _header(data))

    def remove(self, tick: int) -> None:
        """Forget the batch of a time if it was kept."""
        name = self._name(tick)
        data = self._state.get(name)
        if data is not None:
            pieces = sum(count for _, count in _header(data).pieces)
            gone = [name, *(_piece(name, number) for number in range(pieces))]
            self._state.put_many(dict.fromkeys(gone))

    def _put(
        self, name: str, error: bytes | None, frames: _Plain, pieces: list[tuple[Source, int]]
    ) -> None:
        self._state.put(name, pickle.dumps((error, frames, pieces), 5))

    def _name(self, tick: int) -> str:
        return f"{self._number}/{tick}"


def _header(data: bytes) -> _Header:
    error, frames, pieces = pickle.loads(data)
    return _Header(error, [Frame(*frame) for frame in frames], pieces)


def _piece(name: str, number: int) -> str:
    return f"{name}/{number}"


def _plain(frames: Iterable[Frame]) -> _Plain:
    return [(*frame[:-1], bytes(frame.payload)) for frame in frames]


def _pieces(frames: Iterable[Frame]) -> Iterator[_Plain]:
    held: _Plain = []
    size = 0
    for frame in frames:
        held.extend(_plain([frame]))
        size += size_of(frame)
        if size >= _PIECE:
            yield held
            held, size = [], 0
    if held:
        yield held
