"""What the harness and the processes of the engines tell each other, as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

DSTREAMS: Final = "dstreams"
OURS: Final = "ours"
STRUCTURED: Final = "structured"
ENGINES: Final = (DSTREAMS, OURS, STRUCTURED)

CYCLE: Final = "cycle"
LATENCY: Final = "latency"
TITLES: Final = {
    DSTREAMS: "DStreams",
    OURS: "dstream_compat",
    STRUCTURED: "Structured Streaming by hand",
}


@dataclass(frozen=True)
class Digest:
    """What the output of one batch was, whatever its order.

    Parameters
    ----------
    rows : int
        number of records
    value : str
        equal for equal records
    sample : list of str
        some of them, to be shown where digests differ; equal records give the same sample
    """

    rows: int
    value: str
    sample: list[str]


@dataclass(frozen=True)
class Measured:
    """What one engine measured in one round.

    Parameters
    ----------
    rows : int
        records of the input of one batch; 0 where that says nothing
    figures : dict of str to float
        by name, see ``UNITS``
    outputs : dict of str to Digest
        by a label that is the same on every engine
    first : float, optional
        when the first output of the process had run, by the monotonic clock
    """

    rows: int
    figures: dict[str, float]
    outputs: dict[str, Digest] = field(default_factory=dict)
    first: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain dicts."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Measured:
        """Return what ``to_json`` gave."""
        outputs = {label: Digest(**one) for label, one in found["outputs"].items()}
        return cls(found["rows"], found["figures"], outputs, found["first"])


UNITS: Final = {
    "wall": "s",
    "cpu": "s",
    "latency": "s",
    "idle_cpu": "s",
    "interval": "s",
    "memory": "MiB",
    "first": "s",
}
"""Figures by name: less is better in all of them."""
