"""Texts that operators may take as blocks; who asks for records gets them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from ...settings import ALWAYS
from ...wire.frames import IN_BLOCKS, LINES, Frame, chunks, decode_all
from ..operators.record_functions import RecordFunction
from .blocks import Block, counts, join_blocks, read
from .translated import Native

_LEAST_BYTES: Final = 16 << 10
"""Of a block: for less Python's own loops are as fast."""
_MOST_BYTES: Final = 1 << 20
"""Of frames that are put together to one block."""
_MOST_COUNTED: Final = 8 << 20
"""Bytes whose texts are counted at once."""


class _Step(NamedTuple):
    native: Native
    fn: RecordFunction


class Texts:
    """Records of a source of texts, and what becomes of them.

    Parameters
    ----------
    frames : iterable of Frame
        as they were read
    native : str
        ``AUTO`` or ``ALWAYS``, which also makes blocks of a few texts
    tally : Counter
        gets how many texts were read as blocks
    steps : sequence of (Native, RecordFunction)
        what is computed of them
    """

    def __init__(
        self,
        frames: Iterable[Frame],
        native: str,
        tally: Counter[int] | None = None,
        steps: Sequence[_Step] = (),
    ) -> None:
        self._frames = frames
        self._native = native
        self._tally = Counter[int]() if tally is None else tally
        self._steps = tuple(steps)

    def then(self, native: Native, fn: RecordFunction) -> Texts:
        """Return what a function gives for these texts."""
        return Texts(self._frames, self._native, self._tally, (*self._steps, _Step(native, fn)))

    def again(self, frames: Iterable[Frame]) -> Texts:
        """Return these records, from what ``frames`` gave of them."""
        return Texts(frames, self._native, self._tally)

    def __iter__(self) -> Iterator[Any]:
        if not self._steps:
            return iter(decode_all(self._frames))
        return chain.from_iterable(map(_values, self.pieces()))

    def pieces(self) -> Iterator[Block | Iterable[Any]]:
        """Yield blocks, and records of what is no block or could differ in one."""
        for piece in self._read_pieces():
            yield _compute(piece, self._steps)

    def size(self) -> int:
        """Return the number of records."""
        return sum(
            piece.count if isinstance(piece, Block) else sum(1 for _ in piece)
            for piece in self.pieces()
        )

    def frames(self) -> Iterator[tuple[int, int, bytes | memoryview]]:
        """Yield (kind of frame, number of records, payload)."""
        if not self._steps:
            yield from ((f.kind, f.count, f.payload) for f in filter(_has_records, self._frames))
            return
        for piece in self.pieces():
            if isinstance(piece, Block):
                if piece.count:
                    yield LINES, piece.count, piece.data
            else:
                for count, payload in chunks(piece):
                    yield 0, count, payload

    def count_distinct(self) -> Iterator[tuple[Iterable[Any], Iterable[int] | None]]:
        """Yield distinct records and how often each occurs; or records, and None."""
        blocks: list[Block] = []
        size = 0
        for piece in self.pieces():
            if isinstance(piece, Block):
                blocks.append(piece)
                size += len(piece.data)
            else:
                yield piece, None
            if size > _MOST_COUNTED:
                yield counts(blocks)
                blocks, size = [], 0
        if blocks:
            yield counts(blocks)

    def _read_pieces(self) -> Iterator[Block | Iterable[Any]]:
        blocks: list[Block] = []
        size = 0
        for frame in filter(_has_records, self._frames):
            piece = read(frame)
            if isinstance(piece, Block):
                blocks.append(piece)
                size += len(piece.data)
            if blocks and (size >= _MOST_BYTES or not isinstance(piece, Block)):
                yield self._together(blocks, size)
                blocks, size = [], 0
            if not isinstance(piece, Block):
                yield piece
        if blocks:
            yield self._together(blocks, size)

    def _together(self, blocks: Sequence[Block], size: int) -> Block | Iterable[Any]:
        # A worker that has not loaded Arrow is one for small batches, where that takes longer.
        if self._native == ALWAYS or (size >= _LEAST_BYTES and "pyarrow" in sys.modules):
            block = join_blocks(blocks)
            self._tally[IN_BLOCKS] += block.count
            return block
        return chain.from_iterable(block.values() for block in blocks)


def _compute(piece: Block | Iterable[Any], steps: Sequence[_Step]) -> Block | Iterable[Any]:
    for step in steps:
        if isinstance(piece, Block) and (not step.native.ascii or piece.data.isascii()):
            piece = step.native.kernel(piece)
        else:
            piece = step.fn.results(iter(_values(piece)))
    return piece


def _has_records(frame: Frame) -> bool:
    return bool(frame.count)


def _values(piece: Block | Iterable[Any]) -> Iterable[Any]:
    return piece.values() if isinstance(piece, Block) else piece
