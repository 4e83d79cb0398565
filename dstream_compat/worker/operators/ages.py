"""Keeps the ages of state by bucket, so that timeouts visit only buckets that are due.

For each bucket a time is kept that none of its entries is older than. Touching an entry leaves it
as it is: a bucket that was touched is visited no later than necessary, perhaps for nothing, and
then gets the exact time. So an entry is looked at about once per timeout, not once per batch. The
times are in pages, and of each page the least is known; a batch reads the pages that are due.
"""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .base import StateAccess

_NEVER: Final = (1 << 63) - 1
_PAGE: Final = 256


class Ages:
    """The oldest times of the buckets of one stored dict, for one batch.

    Parameters
    ----------
    state : StateAccess
        where they are kept
    prefix : str
        begins the names of their values
    """

    def __init__(self, state: StateAccess, prefix: str) -> None:
        self._state = state
        self._prefix = prefix
        (least,) = state.get_many([prefix])
        self._least: list[int] = [] if least is None else pickle.loads(least)
        self._pages: dict[int, array[int]] = {}
        self._changed: set[int] = set()

    def due(self, threshold: int) -> list[int]:
        """Return the buckets that may have entries older than threshold (milliseconds)."""
        pages = [page for page, least in enumerate(self._least) if least < threshold]
        self._fetch(pages)
        return [
            page * _PAGE + slot
            for page in pages
            for slot, oldest in enumerate(self._pages[page])
            if oldest < threshold
        ]

    def update(self, times: Mapping[int, int | None]) -> None:
        """Set the oldest times of buckets; None for an empty bucket."""
        self._fetch(number // _PAGE for number in times)
        for number, time in times.items():
            self._set(number, _NEVER if time is None else time)

    def add(self, numbers: Iterable[int], time: int) -> None:
        """Note that buckets have got an entry of this time."""
        numbers = list(numbers)
        self._fetch(number // _PAGE for number in numbers)
        for number in numbers:
            self._set(number, min(self._get(number), time))

    def split(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Note that entries of the first bucket of each pair went to the second, a new one."""
        self._fetch(number // _PAGE for pair in pairs for number in pair)
        for old, new in pairs:
            self._set(new, self._get(old))

    def merge(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Note that the first bucket of each pair has got the entries of the second, now empty."""
        self._fetch(number // _PAGE for pair in pairs for number in pair)
        for stays, gone in pairs:
            self._set(stays, min(self._get(stays), self._get(gone)))
            self._set(gone, _NEVER)

    def pack(self) -> dict[str, bytes | None]:
        """Return what is to be written: values by name, None for those to be removed."""
        if not self._changed:
            return {}
        packed: dict[str, bytes | None] = {}
        for page in sorted(self._changed):
            times = self._pages[page]
            self._least[page] = min(times)
            empty = self._least[page] == _NEVER
            packed[f"{self._prefix}/{page}"] = None if empty else times.tobytes()
        packed[self._prefix] = pickle.dumps(self._least, 5)
        return packed

    def _fetch(self, pages: Iterable[int]) -> None:
        missing = [page for page in dict.fromkeys(pages) if page not in self._pages]
        if not missing:
            return
        self._least.extend([_NEVER] * (max(missing) + 1 - len(self._least)))
        blobs = self._state.get_many([f"{self._prefix}/{page}" for page in missing])
        for page, blob in zip(missing, blobs, strict=True):
            times = array("q")
            times.frombytes(blob if blob is not None else array("q", [_NEVER]).tobytes() * _PAGE)
            self._pages[page] = times

    def _get(self, number: int) -> int:
        return self._pages[number // _PAGE][number % _PAGE]

    def _set(self, number: int, time: int) -> None:
        page, slot = divmod(number, _PAGE)
        if self._pages[page][slot] != time:
            self._pages[page][slot] = time
            self._changed.add(page)
