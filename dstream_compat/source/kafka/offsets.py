"""The offsets of a direct stream's batch, for functions of the driver."""

from __future__ import annotations

from typing import Any

from ...worker.reading.kafka_rows import Range


class BatchOffsets:
    """The offsets of the batch that is running: the input notes them, and functions ask for them.

    A graph saves it without any.

    Parameters
    ----------
    label : str
        the stream
    """

    def __init__(self, label: str) -> None:
        self._label = label
        self._ranges: tuple[int, list[Range]] = 0, []

    def __reduce__(self) -> Any:
        return BatchOffsets, (self._label,)

    def note(self, tick: int, ranges: list[Range]) -> None:
        """Take the offsets of the batch that begins to run."""
        self._ranges = tick, ranges

    def of(self, tick: int) -> list[Range]:
        """Return the offsets of the batch that is running.

        Raises
        ------
        RuntimeError
            if another one is
        """
        last, ranges = self._ranges
        if last != tick:
            raise RuntimeError(
                f"{self._label}: the offsets of the batch of {tick} ms are known only while it runs"
            )
        return ranges
