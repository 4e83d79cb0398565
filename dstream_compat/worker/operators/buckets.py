"""A dict in the state store whose buckets split as it grows (linear hashing).

A value of the state store is read and written as a whole: touching one key costs as much as its
bucket is large. So buckets stay small, and their number follows what is stored. There is no
directory of them: with n buckets, the number of a key's bucket follows from its hash and n.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from ..pickling import SmallPickler
from .ages import Ages
from .base import StateAccess

_MASK: Final = (1 << 64) - 1
_MIX: Final = 0x9E3779B97F4A7C15
_AT_ONCE: Final = 256
_STEPS: Final = 64
"""Buckets that a batch merges beyond those that it has loaded anyway, when the dict shrinks."""


def place(hashed: int, buckets: int) -> int:
    """Return the bucket of a hash.

    Parameters
    ----------
    hashed : int
        any hash; it is mixed first, as those of ints and floats often share their low bits
    buckets : int
        how many there are
    """
    hashed &= _MASK
    number = ((hashed ^ (hashed >> 32)) * _MIX & _MASK) >> 32
    number &= (1 << (buckets - 1).bit_length()) - 1
    return number if number < buckets else origin(number, buckets)


def origin(bucket: int, buckets: int) -> int:
    """Return the bucket that holds the keys of ``bucket`` while there are only ``buckets``."""
    while bucket >= buckets:
        bucket -= 1 << (bucket.bit_length() - 1)
    return bucket


class _Size(NamedTuple):
    buckets: int = 1
    entries: int = 0
    stored: int = 0


class Buckets:
    """The stored dict of one logical partition, for one batch.

    Parameters
    ----------
    state : StateAccess
        where it is kept
    prefix : str
        begins the names of its values
    bucket_bytes : int
        pickled size that buckets have on average at most
    aged : bool
        whether the oldest entry of each bucket is known (see :class:`Ages`)

    Attributes
    ----------
    entries : int
        how many entries are stored, as far as they were packed
    """

    def __init__(self, state: StateAccess, prefix: str, bucket_bytes: int, aged: bool) -> None:
        self._state = state
        self._prefix = prefix
        self._bucket_bytes = bucket_bytes
        size, types = state.get_many([f"{prefix}/size", f"{prefix}/types"])
        self._size = _Size() if size is None else _Size(*pickle.loads(size))
        self._pickler = SmallPickler({} if types is None else pickle.loads(types))
        self._blobs: dict[int, bytes | None] = {}
        self._entries = 0
        self.entries = self._size.entries
        self.loaded: dict[int, dict[Any, Any]] = {}
        self.ages = Ages(state, f"{prefix}/ages") if aged else None

    @property
    def count(self) -> int:
        """The number of buckets."""
        return self._size.buckets

    def fetch(self, numbers: Iterable[int]) -> None:
        """Load the dicts of buckets, unless they are loaded."""
        missing = [n for n in dict.fromkeys(numbers) if n not in self.loaded]
        blobs = self._state.get_many([self._name(number) for number in missing])
        for number, blob in zip(missing, blobs, strict=True):
            entries = {} if blob is None else pickle.loads(blob)
            self._blobs[number] = blob
            self._entries += len(entries)
            self.loaded[number] = entries

    def newly_filled(self) -> list[int]:
        """Return the buckets that are no longer empty, as they were when loaded."""
        return [n for n, entries in self.loaded.items() if entries and self._blobs[n] is None]

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Yield all entries as they are stored, as fresh objects."""
        for _, entries in self.read_buckets():
            yield from entries.items()

    def read_buckets(self) -> Iterator[tuple[int, dict[Any, Any]]]:
        """Yield the numbers and entries of the buckets that are not empty, as fresh objects."""
        for first in range(0, self.count, _AT_ONCE):
            numbers = range(first, min(first + _AT_ONCE, self.count))
            blobs = self._state.get_many([self._name(number) for number in numbers])
            for number, blob in zip(numbers, blobs, strict=True):
                if blob is not None:
                    yield number, pickle.loads(blob)

    def pack(self, hash_of: Callable[[Any], int]) -> dict[str, bytes | None]:
        """Return what is to be written: values by name, None for those to be removed.

        Splits or merges buckets first, where their sizes ask for it.

        Parameters
        ----------
        hash_of : callable
            key to hash
        """
        before = self._size
        touched = len(self.loaded)
        blobs = {number: self._dumps(number) for number in self.loaded}
        size = self._measure(blobs)
        buckets = self._wanted_buckets(size, touched)
        if buckets != size.buckets:
            moved = self._resize(size.buckets, buckets, hash_of)
            blobs |= {number: self._dumps(number) for number in moved}
            size = self._measure(blobs)._replace(buckets=buckets)
        packed = {
            self._name(number): blob
            for number, blob in blobs.items()
            if blob != self._blobs.get(number)
        }
        self.entries = size.entries
        if size != before:
            packed[f"{self._prefix}/size"] = pickle.dumps(tuple(size), 5)
        if self._pickler.has_grown:
            packed[f"{self._prefix}/types"] = pickle.dumps(self._pickler.definitions, 5)
        if self.ages is not None:
            packed |= self.ages.pack()
        return packed

    def _dumps(self, number: int) -> bytes | None:
        entries = self.loaded[number]
        return self._pickler.dumps(entries) if entries else None

    def _measure(self, blobs: dict[int, bytes | None]) -> _Size:
        entries = sum(map(len, self.loaded.values())) - self._entries
        stored = sum(len(blob or b"") - len(self._blobs.get(n) or b"") for n, blob in blobs.items())
        old = self._size
        return _Size(old.buckets, old.entries + entries, old.stored + stored)

    def _wanted_buckets(self, size: _Size, touched: int) -> int:
        # A bucket of one entry cannot be split, however large it is.
        buckets = max(min(size.stored // self._bucket_bytes, size.entries), 1)
        if buckets >= size.buckets:
            return buckets
        if buckets > size.buckets // 4:
            return size.buckets  # sizes that go up and down must not split and merge all the time
        return max(buckets, size.buckets - touched - _STEPS)

    def _resize(self, before: int, after: int, hash_of: Callable[[Any], int]) -> set[int]:
        """Move entries to where they belong; returns the buckets that changed."""
        fewer, more = sorted((before, after))
        pairs = [(origin(number, fewer), number) for number in range(fewer, more)]
        moved = {low for low, _ in pairs}
        grows = after > before
        self.fetch(sorted(moved if grows else moved.union(range(fewer, more))))
        moved.update(range(fewer, more))
        entries = {number: self.loaded.get(number, {}) for number in moved}
        for number in moved:
            self.loaded[number] = {}
        for number, items in entries.items():
            for key, value in items.items():
                to = place(hash_of(key), after)
                if to not in moved:  # the hash of a NaN, for instance, changes when it is unpickled
                    to = origin(number, after)
                self.loaded[to][key] = value
        if self.ages is not None:
            (self.ages.split if grows else self.ages.merge)(pairs)
        return moved

    def _name(self, number: int) -> str:
        return f"{self._prefix}/{number}"
