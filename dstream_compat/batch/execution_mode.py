"""How a micro-batch is computed, and why."""

from __future__ import annotations

from typing import Final, NamedTuple


class ExecutionMode(NamedTuple):
    """How a micro-batch is computed.

    Parameters
    ----------
    name : str
        ``oneTask`` or ``stages``
    reason : str
        why
    """

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"

    def with_blocks(self, texts: int) -> ExecutionMode:
        """Return it with the number of texts whose functions were computed on blocks, if any."""
        if not texts:
            return self
        return self._replace(reason=f"{self.reason}; {texts} texts were computed on blocks")


UNKNOWN_MODE: Final = ExecutionMode("", "")
"""Of a micro-batch that an earlier process has computed."""


def hindrance(stateful: bool, tables: bool) -> str | None:
    """Return why a query can never run in one task, or None if it can.

    Parameters
    ----------
    stateful : bool
        it keeps state
    tables : bool
        it reads streams of Kafka or of DataFrames
    """
    if stateful:
        return "state is kept by Spark's plan"
    return "Spark's plan reads tables" if tables else None
