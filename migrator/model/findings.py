"""Uses of the DStream API, findings about them, and why one does not count."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrator.model.fixes import Fix
from migrator.model.labels import (
    Category,
    Confidence,
    Migration,
    Outcome,
    Safety,
    Severity,
    SuppressedBy,
)
from migrator.model.places import Spot, StreamOrigin


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding does not count; `reason` is the text of the comment."""

    by: SuppressedBy
    reason: str = ""


@dataclass(slots=True)
class Site:
    """One use of the DStream API.

    Parameters
    ----------
    outcome, migration : Outcome, Migration
        What the run does with it, and how it gets to Structured Streaming then.
    inputs : tuple of StreamOrigin
        Where the streams that go into the call were made.
    """

    at: Spot
    name: str
    use: str
    receiver: str
    confidence: Confidence
    outcome: Outcome
    evidence: tuple[str, ...] = ()
    migration: Migration = Migration.RUNS
    inputs: tuple[StreamOrigin, ...] = ()


@dataclass(slots=True)
class Decision:
    """What a run does about a finding.

    Parameters
    ----------
    fixed : bool
        Whether the run solves it.
    fix : Fix, optional
        The fix that the run wants, with the values that the user gave for it.
    obstacle : str
        Why that fix, or the rewriting of the file, was not made.
    suppression : Suppression, optional
        Why the finding does not count.
    also : tuple of StreamOrigin
        Other places of the same problem, which the finding stands for.
    fingerprint : str
        Identifies the finding from run to run, as long as the code of its line stays.
    """

    fixed: bool = False
    fix: Fix | None = None
    obstacle: str = ""
    suppression: Suppression | None = None
    also: tuple[StreamOrigin, ...] = ()
    fingerprint: str = ""

    def suppress(self, by: SuppressedBy, reason: str = "") -> None:
        """Decide that the finding does not count, unless something else has decided that."""
        if self.suppression is None:
            self.suppression = Suppression(by, reason)

    def leave_open(self, why: str) -> None:
        """Decide that what would solve the finding is not done."""
        self.fixed, self.obstacle = False, why


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """What a rule found at a place.

    Parameters
    ----------
    problem, remedy, minutes : str, str, int
        What is wrong, what a person can do about it, and how long that takes.
    rewrite : Safety, optional
        How safe the rewriting of its file is that solves it, None if that does not.
    details : tuple of str
        Facts that are too long for the problem.
    task : str
        The remedy in a few words, for a list of what jobs need; the remedy itself if it is empty.
    decision : Decision
        What the run does about it.
    """

    code: str
    name: str
    severity: Severity
    at: Spot
    problem: str
    remedy: str
    minutes: int
    rewrite: Safety | None = None
    confidence: Confidence = Confidence.PROVEN
    evidence: tuple[str, ...] = ()
    fix: Fix | None = None
    category: Category = Category.MIGRATION
    details: tuple[str, ...] = ()
    task: str = ""
    decision: Decision = field(default_factory=Decision)

    @property
    def is_fixed(self) -> bool:
        """Whether the run solves it."""
        return self.decision.fixed

    @property
    def suppression(self) -> Suppression | None:
        """Why it does not count."""
        return self.decision.suppression

    @property
    def fingerprint(self) -> str:
        """What identifies it from run to run."""
        return self.decision.fingerprint

    @property
    def also(self) -> tuple[StreamOrigin, ...]:
        """Other places of the same problem, which it stands for."""
        return self.decision.also

    @property
    def safety(self) -> Safety | None:
        """How what solves it is used; without the value that it needs a fix is only shown."""
        if self.fix is None:
            return self.rewrite
        lacks_value = self.fix.asks and self.decision.fix is None
        return Safety.DISPLAY if lacks_value else self.fix.safety

    @property
    def message(self) -> str:
        """The problem, or what solved it, or why it was not solved."""
        if self.own_fix is not None:
            return self.own_fix.summary
        problem, others = self.problem, len(self.also)
        if others:
            calls = f"do {others} other calls" if others > 1 else "does another call"
            problem += f"; so {calls} of this project"
        obstacle = self.decision.obstacle
        return f"{problem}; not rewritten: {obstacle}" if obstacle else problem

    @property
    def advice(self) -> str:
        """What is left to do."""
        return "" if self.is_fixed else self.remedy

    @property
    def effort(self) -> int:
        """Minutes of manual work that are left."""
        return 0 if self.is_fixed else self.minutes

    @property
    def own_fix(self) -> Fix | None:
        """The fix of its own that solves it; None if that is the rewriting of the file."""
        return self.decision.fix if self.is_fixed else None

    @property
    def is_open(self) -> bool:
        """Whether it is neither fixed nor suppressed."""
        return not self.is_fixed and self.suppression is None

    @property
    def asks_for_change(self) -> bool:
        """Whether a person has to do something, for the migration or for a bug."""
        return self.is_open and self.severity is not Severity.INFO

    @property
    def needs_person(self) -> bool:
        """Whether the migration needs manual work there."""
        return self.asks_for_change and self.category is Category.MIGRATION

    @property
    def is_bug(self) -> bool:
        """Whether it is a bug that the job has always had, and that counts."""
        return self.asks_for_change and self.category is Category.BUG
