"""The report of a run: files with their findings and sites.

A finding *needs manual work* when this run does not fix it and its severity is `warning` or
`error`. Findings of severity `info` are notes. A finding that is *suppressed* (by a comment, a
baseline, or because its line did not change) stays in the report but does not count. The exit code
is 1 as soon as one finding needs manual work; files that could not be read have such a finding.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters: the job breaks, it may behave differently, or it is a note."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


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
    """What the run did with a use of the DStream API."""

    KEPT = "kept"
    REWRITTEN = "rewritten"
    REPORTED = "reported"


class Migration(StrEnum):
    """How a use of the DStream API gets to Structured Streaming.

    Attributes
    ----------
    automatic
        It runs, as it is or as rewritten.
    review
        It runs, but only a person can tell whether it does the same.
    manual
        A person has to change it.
    impossible
        There is no counterpart, so what it did has to be done some other way.
    """

    AUTOMATIC = "automatic"
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


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a stream was made: a call in a file, whose path is as in the report."""

    path: str
    at: Spot


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding does not count; `reason` is the text of the comment."""

    by: SuppressedBy
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A span of a file and what takes its place: `old` is the text that has to stand at `at`."""

    at: Spot
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Fix:
    """The edits that solve a finding: all of them are made, or none.

    Attributes
    ----------
    summary
        What is done, the message of the finding once it is fixed.
    python_only
        Whether it would break the job if that were written in Scala or Java.
    asks
        The option whose value a null character in the edits stands for, if they need one.
    reminder
        Message and advice of a warning that stays.
    """

    safety: Safety
    edits: tuple[TextEdit, ...]
    summary: str
    python_only: bool = False
    asks: str = ""
    reminder: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found at a place.

    Attributes
    ----------
    fingerprint
        Identifies the finding from run to run, as long as the code of its line stays.
    """

    code: str
    name: str
    severity: Severity
    at: Spot
    message: str
    advice: str
    effort: int
    safety: Safety | None = None
    fixed: bool = False
    confidence: Confidence = Confidence.PROVEN
    evidence: tuple[str, ...] = ()
    suppression: Suppression | None = None
    fingerprint: str = ""
    fix: Fix | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is neither fixed nor suppressed."""
        return not self.fixed and self.suppression is None

    @property
    def needs_person(self) -> bool:
        """Whether it needs manual work."""
        return self.is_open and self.severity is not Severity.INFO


@dataclass(frozen=True, slots=True)
class Site:
    """One use of the DStream API.

    Attributes
    ----------
    inputs
        Where the streams that go into the call were made.
    """

    at: Spot
    name: str
    use: str
    receiver: str
    confidence: Confidence
    outcome: Outcome
    evidence: tuple[str, ...] = ()
    migration: Migration = Migration.AUTOMATIC
    inputs: tuple[Origin, ...] = ()


@dataclass(slots=True)
class FileReport:
    """Everything found in one file; `content` is what it becomes if it changes."""

    path: str
    status: Status = Status.UNCHANGED
    error: str | None = None
    findings: list[Finding] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    original: bytes = b""
    content: bytes | None = None

    @property
    def relevant(self) -> bool:
        """Whether the file has anything to show."""
        return bool(self.findings or self.sites or self.content is not None)

    def sort(self) -> None:
        """Brings findings and sites into reading order."""
        self.findings.sort(key=lambda f: (f.at.order, f.code, f.message))
        self.sites.sort(key=lambda s: (s.at.order, s.use, s.name))


@dataclass(slots=True)
class Report:
    """The result of a run.

    Attributes
    ----------
    root
        What was looked at, as it was given.
    base
        The same as an absolute path, to which the paths of the files are relative.
    """

    root: str
    mode: str
    base: str = ""
    scanned: int = 0
    output: str | None = None
    internal_errors: int = 0
    fail_on: Severity | None = Severity.WARNING
    baseline_gone: int = 0
    files: list[FileReport] = field(default_factory=list)

    def findings(self) -> list[tuple[FileReport, Finding]]:
        """All findings with their files."""
        return [(f, finding) for f in self.files for finding in f.findings]

    def sites(self) -> list[Site]:
        """All sites."""
        return [site for f in self.files for site in f.sites]

    def with_status(self, status: Status) -> int:
        """How many files ended with a status."""
        return sum(f.status is status for f in self.files)

    def needing_person(self) -> int:
        """How many findings need manual work."""
        return sum(finding.needs_person for _, finding in self.findings())

    def effort(self) -> int:
        """Minutes of manual work that the findings take together."""
        return sum(f.effort for _, f in self.findings() if f.needs_person)

    def suppressed(self, by: SuppressedBy) -> int:
        """How many findings do not count for one reason."""
        found = (f.suppression for _, f in self.findings())
        return sum(s is not None and s.by is by for s in found)

    def by_migration(self) -> dict[Migration, int]:
        """How many sites get there in which way."""
        counts = Counter(site.migration for site in self.sites())
        return {way: counts[way] for way in Migration}

    def migrated_share(self) -> float | None:
        """The share of sites that run after the migration, or None without sites."""
        sites = self.sites()
        if not sites:
            return None
        return sum(s.outcome is not Outcome.REPORTED for s in sites) / len(sites)

    def exit_code(self) -> int:
        """0: no manual work remains (--check: nor rewrites); 1: some does; 2: an error of migrate.

        `fail_on` is the least severity that counts, None if none does.
        """
        if self.internal_errors:
            return 2
        if self.fail_on is None:
            return 0
        order = list(Severity)
        least = order.index(self.fail_on)
        if any(f.is_open and order.index(f.severity) <= least for _, f in self.findings()):
            return 1
        return int(self.mode == "check" and self.with_status(Status.REWRITTEN) > 0)
