"""Partitions keys as DStreams do: ``portable_hash(key) % n``."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from itertools import chain, islice
from sys import maxsize
from typing import Any, Final

from pyspark.core.rdd import portable_hash

from ...wire.frames import dump_records

_PLAIN: Final = frozenset((str, int, bytes, float, bool))
"""Types for which ``portable_hash`` is ``hash``, called without the detour."""
_TUPLE_START: Final = 0x345678
_TUPLE_FACTOR: Final = 1_000_003
_SEEDED: Final = "PYTHONHASHSEED" in os.environ
"""Without it ``portable_hash`` refuses."""
_FIRST_FLUSH: Final = 100
_LAST_FLUSH: Final = 10_000
_LARGE: Final = 1 << 20


def key_hash(key: Hashable) -> int:
    """Return ``portable_hash(key)``."""
    kind = type(key)
    if kind in _PLAIN:
        return hash(key)
    return _tuple_hash(key) if kind is tuple and _SEEDED else portable_hash(key)  # type: ignore[arg-type]


def _tuple_hash(key: tuple[Hashable, ...]) -> int:
    # As in portable_hash(), which looks at the environment for each element.
    hashed = _TUPLE_START
    for element in key:
        own = hash(element) if type(element) in _PLAIN else key_hash(element)
        hashed = ((hashed ^ own) * _TUPLE_FACTOR) & maxsize
    hashed ^= len(key)
    return hashed


def partition_pairs(
    pairs: Iterable[tuple[Any, Any]],
    partitions: int,
    partition_of: Callable[[Any], int] = key_hash,
) -> Iterator[tuple[int, int, bytes]]:
    """Cut (key, value) pairs by target partition; yields (partition, count, pickle).

    At most 10,000 pairs are held back, and fewer if they are large: 100 at first, then as many as
    give about 1 MiB. So memory does not grow with the partition.
    """
    if partitions == 1 and partition_of is key_hash:
        partition_of = _zero
    parts: list[list[tuple[Any, Any]]] = [[] for _ in range(partitions)]
    plain: Container[type] = _PLAIN if partition_of is key_hash else ()
    most = _FIRST_FLUSH
    # A function's StopIteration is the end: asked again, its iterator would go on.
    rest = chain(pairs)
    for first in rest:
        for pair in chain((first,), islice(rest, most - 1)):
            key, _ = pair
            number = hash(key) if type(key) in plain else partition_of(key)
            parts[number % partitions].append(pair)
        largest = 0
        for flushed in _flush(parts):
            largest = max(largest, len(flushed[2]))
            yield flushed
        most = min(2 * most, _LAST_FLUSH) if largest < _LARGE else max(most // 2, 1)


def _flush(parts: list[list[tuple[Any, Any]]]) -> Iterator[tuple[int, int, bytes]]:
    for part, held in enumerate(parts):
        if held:
            yield part, len(held), dump_records(held)
            held.clear()


def _zero(_: Any) -> int:
    return 0
