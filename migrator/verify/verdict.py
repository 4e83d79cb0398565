"""What a verification found."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from migrator.verify.comparison import Comparison

VERDICT = "verdict.json"
"""The file of a verification's folder that has its report."""


class Result(StrEnum):
    """Whether a migrated job does the same."""

    EQUAL = "equal"
    DIFFERENT = "different"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What makes a comparison impossible, and what to do about it."""

    what: str
    advice: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two jobs: where it is, what ran it, and what it took."""

    job: str
    engine: str
    seconds: float = 0.0
    peak_bytes: int = 0
    results: str = ""


@dataclass(slots=True)
class Verdict:
    """The outcome of a verification.

    Parameters
    ----------
    date : str
        When it began, in UTC.
    sources : list of (str, str)
        The files that it is about, the job first, with the SHA-256 of each.
    request : dict
        What else it depends on, as values of JSON.
    """

    job: str
    old: Side
    new: Side
    batches: int = 0
    records: int = 0
    comparison: Comparison | None = None
    failure: str = ""
    obstacle: Obstacle | None = None
    operator: str = ""
    notes: list[str] = field(default_factory=list)
    smallest: Path | None = None
    smallest_size: tuple[int, int] = (0, 0)
    test: Path | None = None
    date: str = ""
    sources: list[tuple[str, str]] = field(default_factory=list)
    request: dict[str, Any] = field(default_factory=dict)

    @property
    def result(self) -> Result:
        """Whether the jobs are the same."""
        if self.obstacle is not None or self.comparison is None:
            return Result.NOT_COMPARABLE
        if self.failure or self.comparison.differences:
            return Result.DIFFERENT
        return Result.EQUAL

    @property
    def exit_code(self) -> int:
        """0 for equal, 1 for different, 2 for not comparable."""
        return {Result.EQUAL: 0, Result.DIFFERENT: 1, Result.NOT_COMPARABLE: 2}[self.result]
