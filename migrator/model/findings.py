"""Findings about uses of the DStream API, with their labels, places and fixes, and why one does not
count.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

# What findings, uses and files are labelled with in a report.


class Severity(StrEnum):
    """How much a finding matters: the job breaks, it may behave differently, or it is a note."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Category(StrEnum):
    """What a finding is about.

    Attributes
    ----------
    migration
        Something that changes with the move, or stands in its way.
    bug
        Something that is wrong with DStreams too, since the job was written.
    note
        Something that asks for nothing; it is shown only if asked for.
    """

    MIGRATION = "migration"
    BUG = "bug"
    NOTE = "note"


class Safety(StrEnum):
    """How a fix is used: applied, applied with `--unsafe-fixes` only, or only shown."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Confidence(StrEnum):
    """Whether every way into an expression shows its kind, or only its use suggests it."""

    PROVEN = "proven"
    PROBABLE = "probable"


class Outcome(StrEnum):
    """What the run did with a use of the DStream API: changed it, left it alone, reported it."""

    REWRITTEN = "rewritten"
    KEPT = "kept"
    REPORTED = "reported"


class Migration(StrEnum):
    """How a use of the DStream API gets to Structured Streaming.

    Attributes
    ----------
    runs
        It runs, as it is or as rewritten.
    review
        It runs, but only a person can tell whether it does the same.
    manual
        A person has to change it.
    impossible
        There is no counterpart, so what it did has to be done some other way.
    """

    RUNS = "runs"
    REVIEW = "review"
    MANUAL = "manual"
    IMPOSSIBLE = "impossible"


class SuppressedBy(StrEnum):
    """Why a finding does not count: a comment, the baseline, or an unchanged line."""

    COMMENT = "comment"
    BASELINE = "baseline"
    UNCHANGED = "unchanged-line"


class Status(StrEnum):
    """What the run did with a file."""

    REWRITTEN = "rewritten"
    UNCHANGED = "unchanged"
    UNREADABLE = "unreadable"


# Places in files, and how a report shows them.


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A place in a file: lines and columns count from 1; `cell` is a notebook's cell, from 1."""

    line: int
    column: int
    cell: int | None = None

    @property
    def order(self) -> tuple[int, int, int]:
        """Sorts by cell, then line, then column."""
        return (self.cell or 0, self.line, self.column)


def shown_place(at: Spot) -> str:
    """Return the line of a place in words, with its cell."""
    return f"line {at.line}" if at.cell is None else f"cell {at.cell}, line {at.line}"


@dataclass(frozen=True, slots=True)
class StreamOrigin:
    """Where a stream was made: a call in a file, whose path is as in the report."""

    path: str
    at: Spot


# Fixes: the edits of a file's text that solve a finding.


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A span of a file and what takes its place: `old` is the text that has to stand at `at`.

    Parameters
    ----------
    converted : Spot, optional
        Where it stands in the file once that is converted, if the edit is about that text.
    """

    at: Spot
    old: str
    new: str
    converted: Spot | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """The edits that solve a finding: all of them are made, or none.

    Parameters
    ----------
    summary : str
        What is done, the message of the finding once it is fixed.
    python_only : bool
        Whether it would break the job if that were written in Scala or Java.
    follows_imports : bool
        Whether it is right only if every import of `pyspark.streaming` in the project moves.
    asks : str
        The option whose value a null character in the edits stands for, if they need one.
    reminder : Finding, optional
        What a person has to look at once it is made.
    after : tuple of str
        Files in which no finding of the same rule may stay, else it is not made.
    """

    safety: Safety
    edits: tuple[TextEdit, ...]
    summary: str
    python_only: bool = False
    follows_imports: bool = False
    asks: str = ""
    reminder: Finding | None = None
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversion:
    """A Python 2 file as Python 3, before anything else of it changes.

    Parameters
    ----------
    edits : tuple of TextEdit
        What has become of its text.
    """

    content: bytes
    edits: tuple[TextEdit, ...] = ()


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
