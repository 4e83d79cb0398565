"""The frames of a stream in one interval, as the driver sees them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ..wire.frames import ERROR
from ..wire.reports import Header


@dataclass(frozen=True)
class StreamHeaders:
    """The frames of one stream in one interval.

    Parameters
    ----------
    headers : list of Header
        of its records
    error : bytes, optional
        the captured error that it has instead
    """

    headers: list[Header]
    error: bytes | None

    def is_ordered(self) -> bool:
        """Return whether the frames of each Spark partition lie there in their order."""
        order = [(header.spark_partition, header.src, header.seq) for header in self.headers]
        return all(before <= after for before, after in pairwise(order))

    def inline(self) -> list[list[bytes]] | None:
        """Return the frames of each logical partition; None if the driver lacks one of them."""
        held: dict[tuple[int, ...], list[bytes]] = {}
        for header in sorted(self.headers, key=lambda header: (header.src, header.seq)):
            if header.data is None:
                return None
            held.setdefault(header.src, []).append(header.data)
        return list(held.values())


def by_stream(headers: Iterable[Header]) -> dict[tuple[int, int], StreamHeaders]:
    """Return headers by the stream (its node) and the interval (its batch time)."""
    found: dict[tuple[int, int], list[Header]] = {}
    for header in headers:
        found.setdefault((header.node, header.tick), []).append(header)
    return {of: _stream(group) for of, group in found.items()}


def _stream(headers: list[Header]) -> StreamHeaders:
    errors = [header for header in headers if header.kind == ERROR]
    records = [header for header in headers if header.kind != ERROR]
    return StreamHeaders(records, bytes(errors[-1].frame().payload) if errors else None)
