"""Where a key lives: the same partition as on the real engine, ``portable_hash(key) % n``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Final

from pyspark.core.rdd import portable_hash

from ..engine.frames import dumps

_PLAIN: Final = frozenset((str, int, bytes, float, bool))
"""Types for which ``portable_hash`` is ``hash``, called without the detour."""
_FIRST_FLUSH: Final = 100
_LAST_FLUSH: Final = 10_000
_LARGE: Final = 1 << 20


def key_hash(key: Hashable) -> int:
    """Return ``portable_hash(key)``."""
    return hash(key) if type(key) in _PLAIN else portable_hash(key)


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
    held, most = 0, _FIRST_FLUSH
    for pair in pairs:
        key, _ = pair
        parts[partition_of(key) % partitions].append(pair)
        held += 1
        if held >= most:
            largest = 0
            for flushed in _flush(parts):
                largest = max(largest, len(flushed[2]))
                yield flushed
            most = min(2 * most, _LAST_FLUSH) if largest < _LARGE else max(most // 2, 1)
            held = 0
    yield from _flush(parts)


def _flush(parts: list[list[tuple[Any, Any]]]) -> Iterator[tuple[int, int, bytes]]:
    for part, held in enumerate(parts):
        if held:
            yield part, len(held), dumps(held)
            held.clear()


def _zero(_: Any) -> int:
    return 0
