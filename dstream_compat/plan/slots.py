"""Slots: grouping values that Spark's hash partitioning spreads one to a partition.

Decision 0002: State is grouped by slot, not by bucket.
"""

from __future__ import annotations

from functools import cache

_MASK = 0xFFFFFFFF
_SEED = 42


def _rotate(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (32 - bits))) & _MASK


def spark_hash(value: int) -> int:
    """Return Spark SQL's ``hash(value)`` of one int (Murmur3, seed 42), as a signed number."""
    mixed = (_rotate((value & _MASK) * 0xCC9E2D51 & _MASK, 15) * 0x1B873593) & _MASK
    state = (_rotate(_SEED ^ mixed, 13) * 5 + 0xE6546B64) & _MASK
    state ^= 4
    state = ((state ^ (state >> 16)) * 0x85EBCA6B) & _MASK
    state = ((state ^ (state >> 13)) * 0xC2B2AE35) & _MASK
    state ^= state >> 16
    return state - (1 << 32) if state & 0x80000000 else state


@cache
def slots_for(partitions: int) -> tuple[int, ...]:
    """Return for each shuffle partition the smallest int that Spark hashes to it."""
    slots: dict[int, int] = {}
    value = 0
    while len(slots) < partitions:
        slots.setdefault(spark_hash(value) % partitions, value)
        value += 1
    return tuple(slots[partition] for partition in range(partitions))
