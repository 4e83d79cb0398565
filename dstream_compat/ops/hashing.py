"""Where a key lives: the same partition as on the real engine, ``portable_hash(key) % n``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Final

from pyspark.core.rdd import portable_hash

from ..engine.frames import dumps

_PLAIN: Final = frozenset((str, int, bytes, float, bool))
"""Types for which ``portable_hash`` is ``hash``, called without the detour."""
_FLUSH: Final = 10_000


def key_hash(key: Hashable) -> int:
    """Return ``portable_hash(key)``."""
    return hash(key) if type(key) in _PLAIN else portable_hash(key)


def partition_pairs(
    pairs: Iterable[tuple[Any, Any]],
    partitions: int,
    partition_of: Callable[[Any], int] = key_hash,
) -> Iterator[tuple[int, int, bytes]]:
    """Cut (key, value) pairs by target partition; yields (partition, count, pickle).

    At most 10,000 pairs are held back, so memory does not grow with the partition.
    """
    if partitions == 1 and partition_of is key_hash:
        partition_of = _zero
    parts: list[list[tuple[Any, Any]]] = [[] for _ in range(partitions)]
    held = 0
    for pair in pairs:
        key, _ = pair
        parts[partition_of(key) % partitions].append(pair)
        held += 1
        if held >= _FLUSH:
            yield from _flush(parts)
            held = 0
    yield from _flush(parts)


def _flush(parts: list[list[tuple[Any, Any]]]) -> Iterator[tuple[int, int, bytes]]:
    for part, held in enumerate(parts):
        if held:
            yield part, len(held), dumps(held)
            held.clear()


def _zero(_: Any) -> int:
    return 0
