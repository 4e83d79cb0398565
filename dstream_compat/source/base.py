"""What a source of a streaming context is, seen from the driver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from pyspark import SparkContext

from ..clock import Clock
from .reading import Chunk, FixedFile, TextFile

Items = tuple[Chunk | TextFile | FixedFile, ...]


class Timeline(NamedTuple):
    """The times that a started context runs by (milliseconds since the epoch)."""

    clock: Clock
    interval: int
    zero: int


class Source(ABC):
    """A source of records; lives in the user's driver process."""

    label: str

    def prepare(self, sc: SparkContext, durable: bool) -> None:  # noqa: B027
        """Get ready before the first batch; ``durable`` asks that pickling keeps the records."""

    def start(self, timeline: Timeline) -> None:  # noqa: B027
        """Begin to receive: the zero time is fixed."""

    @abstractmethod
    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, list[Items]]:
        """Return the logical partitions of each interval; what is returned is not asked again.

        Parameters
        ----------
        sc : SparkContext
            to compute records with, where they are in RDDs
        ticks : sequence of int
            batch times, in order, directly after those of the previous call
        """

    def memory(self) -> Any:
        """Return what must be remembered to go on behind the intervals planned so far."""
        return None

    def restore(self, memory: Any) -> None:
        """Go on behind the intervals that an earlier process planned."""
        if memory is not None:
            raise ValueError(f"{self.label} remembers nothing, but its checkpoint does")

    def pending(self) -> bool:
        """Return whether records were received that no interval has taken yet."""
        return False

    def stop_receiving(self) -> None:  # noqa: B027
        """Receive nothing more; what was received can still be planned."""
