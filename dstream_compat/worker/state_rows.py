"""The rows of a stage's state as Spark stores them: the slot and a name, and a binary value.

They are Spark's ``UnsafeRow``: a word for nulls, a word for each field, then what has no fixed
size, padded to words. The word of such a field is its offset in the row and its size.
"""

from __future__ import annotations

import struct
from typing import Final

_WORD: Final = 8
_SLOT: Final = struct.Struct("<qi4x")


def key_row(slot: int, name: str) -> bytes:
    """Return the key of a value.

    Parameters
    ----------
    slot : int
        the grouping value
    name : str
        of the value in that slot
    """
    keys = _SLOT.pack(0, slot), _row(name.encode())
    first = 3 * _WORD
    words = _place(first, len(keys[0])), _place(first + len(keys[0]), len(keys[1]))
    return b"".join((bytes(_WORD), *words, *keys))


def value_row(value: bytes) -> bytes:
    """Return a value as a row."""
    return _row(value)


def name_of(slot: int, row: bytes) -> str:
    """Return the name in a key.

    Raises
    ------
    RuntimeError
        if this version of Spark stores keys in another way
    """
    offset, _ = _place_of(row, 2)
    name = _field(row[offset:]).decode()
    if key_row(slot, name) != row:
        raise RuntimeError(f"the state has a key that cannot be read: {row.hex()}")
    return name


def value_of(row: bytes) -> bytes:
    """Return the value in a row.

    Raises
    ------
    RuntimeError
        if this version of Spark stores values in another way
    """
    value = _field(row)
    if value_row(value) != row:
        raise RuntimeError(f"the state has a value that cannot be read: {row[:64].hex()}")
    return value


def _row(data: bytes) -> bytes:
    return b"".join((bytes(_WORD), _place(2 * _WORD, len(data)), data, bytes(-len(data) % _WORD)))


def _field(row: bytes) -> bytes:
    offset, size = _place_of(row, 1)
    return row[offset : offset + size]


def _place(offset: int, size: int) -> bytes:
    return struct.pack("<ii", size, offset)


def _place_of(row: bytes, word: int) -> tuple[int, int]:
    size, offset = struct.unpack_from("<ii", row, word * _WORD)
    return offset, size
