"""Digests of outputs, and what differs between those of two engines."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .figures import Digest

_SAMPLE: Final = 3
_BITS: Final = 128


class OutputsDiffer(Exception):
    """Two engines gave different outputs for the same input."""


def digest(records: Iterable[Any]) -> Digest:
    """Return the digest of the records of a batch."""
    return merged([partial(records)])


def partial(records: Iterable[Any]) -> tuple[int, int, list[tuple[int, str]]]:
    """Return what ``merged`` makes a digest of, for the records of a partition."""
    rows = total = 0
    least: list[tuple[int, str]] = []
    for record in records:
        text = repr(record)
        found = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_BITS // 8).digest())
        rows += 1
        total += found
        if len(least) < _SAMPLE or found < least[-1][0]:
            least = heapq.nsmallest(_SAMPLE, [*least, (found, text)])
    return rows, total, least


def merged(parts: Iterable[tuple[int, int, list[tuple[int, str]]]]) -> Digest:
    """Return the digest of a batch from those of its partitions."""
    rows = total = 0
    least: list[tuple[int, str]] = []
    for count, found, some in parts:
        rows += count
        total += found
        least = heapq.nsmallest(_SAMPLE, [*least, *some])
    value = f"{total % 2**_BITS:0{_BITS // 4}x}"
    return Digest(rows, value, [text for _, text in least])


def rdd_digest(rdd: Any) -> Digest:
    """Return the digest of the records of an RDD, which its workers make."""
    return merged(rdd.mapPartitions(lambda records: [partial(records)]).collect())


def check(outputs: Mapping[str, Mapping[str, Digest]], where: str) -> int:
    """Compare the outputs of all engines; returns how many batches were compared.

    Parameters
    ----------
    outputs : mapping of str to mapping
        engine to label to digest
    where : str
        the job and its measure, for the message

    Raises
    ------
    OutputsDiffer
        if a batch that two engines have is not the same, or they have none in common
    """
    compared = 0
    names = list(outputs)
    for name in names[1:]:
        one, other = outputs[names[0]], outputs[name]
        labels = [label for label in one if label in other]
        if not labels and (one or other):
            raise OutputsDiffer(
                f"{where}: {names[0]} and {name} have no batch in common: "
                f"{_some(one)} and {_some(other)}"
            )
        for label in labels:
            left, right = one[label], other[label]
            if (left.rows, left.value) != (right.rows, right.value):
                raise OutputsDiffer(
                    f"{where}, batch {label}: {names[0]} has {_shown(left)}, "
                    f"{name} has {_shown(right)}"
                )
        compared += len(labels)
    return compared


def _shown(found: Digest) -> str:
    return f"{found.rows} records such as {', '.join(found.sample) or 'none'}"


def _some(outputs: Mapping[str, Digest]) -> str:
    return ", ".join(list(outputs)[:5]) or "none"
