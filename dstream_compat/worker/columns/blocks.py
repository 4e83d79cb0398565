"""Blocks of texts: UTF-8, joined by line feeds, as sources read them.

Decision 0091: Functions of texts are computed on blocks, in the worker.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from ...wire.frames import LINES, Frame, decode

if TYPE_CHECKING:
    import pyarrow as pa

MOST_BYTES: Final = 1 << 30
"""Of a block: Arrow's offsets have 32 bits."""
_BREAK: Final = 10


class Block(NamedTuple):
    """Texts without line feeds.

    Parameters
    ----------
    data : bytes
        valid UTF-8: the texts, joined by line feeds
    count : int
        how many there are
    """

    data: bytes
    count: int  # type: ignore[assignment]

    def values(self) -> list[str]:
        """Return the texts."""
        return self.data.decode().split("\n") if self.count else []

    def array(self) -> pa.StringArray:
        """Return the texts as an array of Arrow."""
        import numpy as np
        import pyarrow as pa

        if not self.count:
            return array_of([])
        codes = np.frombuffer(self.data, np.uint8)
        is_break = codes == _BREAK
        breaks = np.flatnonzero(is_break)
        texts = codes[~is_break]
        offsets = np.zeros(self.count + 1, np.int32)
        offsets[1:-1] = breaks - np.arange(self.count - 1)
        offsets[-1] = len(texts)
        return pa.StringArray.from_buffers(self.count, pa.py_buffer(offsets), pa.py_buffer(texts))

    def with_breaks(self) -> pa.StringArray:
        """Return an array of the texts, each with a line feed at its end: nothing is moved."""
        import numpy as np
        import pyarrow as pa

        if not self.count:
            return array_of([])
        data = self.data + b"\n"
        offsets = np.zeros(self.count + 1, np.int32)
        offsets[1:] = np.flatnonzero(np.frombuffer(data, np.uint8) == _BREAK) + 1
        return pa.StringArray.from_buffers(self.count, pa.py_buffer(offsets), pa.py_buffer(data))


def split_of(data: bytes) -> Block:
    """Return the block of at least one text, by its line feeds."""
    return Block(data, data.count(b"\n") + 1)


def block_of(texts: pa.StringArray) -> Block:
    """Return the block of an array whose texts have no line feeds."""
    if not len(texts):
        return Block(b"", 0)
    return Block(_together(texts, "\n"), len(texts))


def array_of(texts: Sequence[str]) -> pa.StringArray:
    """Return an array of Arrow.

    ``pyarrow.array`` and ``scalar`` import pandas, which takes 35 MiB and 0.3 s.
    """
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    offsets = pa.py_buffer(array("i", accumulate(map(len, encoded), initial=0)).tobytes())
    return pa.StringArray.from_buffers(len(encoded), offsets, pa.py_buffer(b"".join(encoded)))


def scalar_of(value: str | int) -> pa.Scalar:
    """Return one value for Arrow; see ``array_of``."""
    import pyarrow as pa

    if isinstance(value, str):
        return array_of([value])[0]
    data = pa.py_buffer(array("q", (value,)).tobytes())
    return pa.Int64Array.from_buffers(pa.int64(), 1, [None, data])[0]


def _together(texts: pa.StringArray, between: str) -> bytes:
    import pyarrow as pa
    import pyarrow.compute as pc

    edges = pa.py_buffer(array("i", (0, len(texts))).tobytes())
    offsets = pa.Int32Array.from_buffers(pa.int32(), 2, [None, edges])
    whole = pa.ListArray.from_arrays(offsets, texts)
    joined: bytes = pc.binary_join(whole, scalar_of(between))[0].as_buffer().to_pybytes()
    return joined


def read(frame: Frame) -> Block | Sequence[object]:
    """Return the block of a frame of lines, or the records of a frame that is no block."""
    if frame.kind != LINES or len(frame.payload) > MOST_BYTES:
        return decode(frame)
    data = bytes(frame.payload)
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:  # bytes that are no text are replaced, one line at a time
            return decode(frame)
    return Block(data, frame.count)


def join_blocks(blocks: Sequence[Block]) -> Block:
    """Return one block of all texts."""
    if len(blocks) == 1:
        return blocks[0]
    return Block(b"\n".join(block.data for block in blocks), sum(b.count for b in blocks))


def counts(blocks: Sequence[Block]) -> tuple[list[str], list[int]]:
    """Return the distinct texts of blocks in the order in which they come, and how often."""
    import pyarrow as pa
    import pyarrow.compute as pc

    arrays = pa.chunked_array([block.with_breaks() for block in blocks], pa.string())
    pairs = pc.value_counts(arrays)
    if not len(pairs):
        return [], []
    data = _together(pairs.field("values"), "")
    return data.decode().split("\n")[:-1], pairs.field("counts").to_pylist()
