"""What the verifications of a project's jobs found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any


class State(StrEnum):
    """What is known of a job; the ones that need somebody first."""

    DIFFERENT = "different"
    NOT_COMPARABLE = "not comparable"
    STALE = "stale"
    NOT_VERIFIED = "not verified"
    EQUAL = "equal"
    NO_RECORDING = "no recording"


@dataclass(frozen=True, slots=True)
class JobResult:
    """The verification of a job.

    Parameters
    ----------
    verdict : dict, optional
        Its report, as `migrate verify --format json` prints it.
    about : str
        What is to be said in a line: the first difference, the obstacle, why it is stale.
    page : Path, optional
        Its report as HTML.
    """

    job: str
    state: State
    about: str = ""
    verdict: dict[str, Any] | None = None
    page: Path | None = None

    @property
    def batches(self) -> str:
        """How many of its batches are equal, as a text; empty if none was compared."""
        if self.verdict is None or "equal_batches" not in self.verdict:
            return ""
        return f"{self.verdict['equal_batches']} of {self.verdict['batches']}"

    @property
    def rows(self) -> str:
        """How many rows both jobs gave, as a text; empty if none was compared."""
        rows = (self.verdict or {}).get("rows")
        return "" if rows is None else str(rows["both"])

    @property
    def seconds(self) -> float:
        """How long both jobs ran."""
        if self.verdict is None:
            return 0.0
        return float(self.verdict["original"]["seconds"] + self.verdict["migrated"]["seconds"])


@dataclass(frozen=True, slots=True)
class ProjectVerdict:
    """The verifications of a project."""

    project: str
    results: Sequence[JobResult] = field(default_factory=tuple)

    def in_order(self) -> list[JobResult]:
        """Return the results, those that need somebody first."""
        order = list(State)
        return sorted(self.results, key=lambda one: (order.index(one.state), one.job))

    def counts(self) -> Counter[State]:
        """Return how many jobs are in each state."""
        return Counter(result.state for result in self.results)

    def of(self, *states: State) -> list[JobResult]:
        """Return the results of some states."""
        return [result for result in self.in_order() if result.state in states]

    @property
    def exit_code(self) -> int:
        """1 if a job differs, or is not verified as it is now; 2 if one cannot be compared."""
        counts = self.counts()
        if counts[State.DIFFERENT] or counts[State.STALE] or counts[State.NOT_VERIFIED]:
            return 1
        return 2 if counts[State.NOT_COMPARABLE] else 0


def result_of(job: str, verdict: dict[str, Any], page: Path | None = None) -> JobResult:
    """Return the result that the report of a verification gives."""
    about = verdict.get("failure") or ""
    if (obstacle := verdict.get("obstacle")) is not None:
        about = obstacle["what"].partition("\n")[0]
    elif not about and (first := verdict.get("first_difference")) is not None:
        about = f"batch {first['batch']}, {first['output']}: {first['what']}"
    elif not about and not verdict["rows"]["original"]:
        about = "no output gave a row"
    return JobResult(job, State(verdict["result"]), about, verdict, page)
