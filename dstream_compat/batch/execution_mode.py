"""How a micro-batch is computed, and the setting that says so."""

from __future__ import annotations

from typing import Final, NamedTuple

SETTING: Final = "spark.streaming.compat.execution"
AUTO: Final = "auto"
ONE_TASK: Final = "oneTask"
STAGES: Final = "stages"
_WAYS: Final = (AUTO, ONE_TASK, STAGES)


class Way(NamedTuple):
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

    def with_blocks(self, texts: int) -> Way:
        """Return it with the number of texts whose functions were computed on blocks, if any."""
        if not texts:
            return self
        return self._replace(reason=f"{self.reason}; {texts} texts were computed on blocks")


UNKNOWN_WAY: Final = Way("", "")
"""Of a micro-batch that an earlier process has computed."""


def checked_way(text: str | None) -> str:
    """Return what the setting ``spark.streaming.compat.execution`` asks for.

    Raises
    ------
    ValueError
        if that is none of ``auto``, ``oneTask`` and ``stages``
    """
    way = next((way for way in _WAYS if way.lower() == (text or AUTO).strip().lower()), None)
    if way is None:
        raise ValueError(f"{SETTING}={text} is not known: set one of {', '.join(_WAYS)}")
    return way


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
