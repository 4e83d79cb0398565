"""The frames of a stream in one interval, as the driver sees them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from ..wire.reports import Header


@dataclass
class StreamHeaders:
    """The frames of one stream in one interval."""

    headers: list[Header] = field(default_factory=list)
    error: bytes | None = None

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
