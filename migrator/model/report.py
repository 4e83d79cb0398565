"""The report of a run: files with their findings and sites.

A finding *needs manual work* when this run does not fix it, its severity is `warning` or `error`,
and it is no bug that the job has always had: those are counted apart. Findings of severity `info`
are notes. A finding that is *suppressed* (by a comment, a baseline, or because its line did not
change) stays in the report but does not count. The exit code is 1 as soon as one finding needs
manual work, and on request for bugs; files that could not be read have a finding that does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from migrator.model.fixes import Conversion, Fix, TextEdit
from migrator.model.labels import (
    Category,
    Confidence,
    Migration,
    Outcome,
    Safety,
    Severity,
    Status,
    SuppressedBy,
)
from migrator.model.places import Spot, StreamOrigin, shown_place
from migrator.model.sites import Site, Suppression
from migrator.model.structured_forms import StructuredForm
from migrator.model.verification import Verified

if TYPE_CHECKING:
    from migrator.model.events import Event

# labels, places and fixes are part of a report as well
__all__ = [
    "Category",
    "Confidence",
    "Conversion",
    "FileReport",
    "Finding",
    "Fix",
    "Migration",
    "Outcome",
    "Report",
    "Safety",
    "Severity",
    "Site",
    "Spot",
    "Status",
    "StreamOrigin",
    "SuppressedBy",
    "Suppression",
    "TextEdit",
    "shown_place",
]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found at a place; it stays as the rule has made it, whatever a run does with it.

    Parameters
    ----------
    problem, remedy, minutes : str, str, int
        What is wrong, what a person can do about it, and how long that takes.
    obstacle : str
        Why the fix that it has was not made.
    details : tuple of str
        Facts that are too long for the problem.
    task : str
        The remedy in a few words, for a list of what jobs need; the remedy itself if it is empty.
    also : tuple of StreamOrigin
        Other places of the same problem, which this finding stands for.
    fingerprint : str
        Identifies the finding from run to run, as long as the code of its line stays.
    """

    code: str
    name: str
    severity: Severity
    at: Spot
    problem: str
    remedy: str
    minutes: int
    safety: Safety | None = None
    fixed: bool = False
    confidence: Confidence = Confidence.PROVEN
    evidence: tuple[str, ...] = ()
    suppression: Suppression | None = None
    fingerprint: str = ""
    fix: Fix | None = None
    category: Category = Category.MIGRATION
    obstacle: str = ""
    details: tuple[str, ...] = ()
    task: str = ""
    also: tuple[StreamOrigin, ...] = ()

    @property
    def message(self) -> str:
        """The problem, or what solved it, or why it was not solved."""
        if self.fixed:
            return self.problem if self.fix is None else self.fix.summary
        return f"{self.problem}; not rewritten: {self.obstacle}" if self.obstacle else self.problem

    @property
    def advice(self) -> str:
        """What is left to do."""
        return "" if self.fixed else self.remedy

    @property
    def effort(self) -> int:
        """Minutes of manual work that are left."""
        return 0 if self.fixed else self.minutes

    def left_open(self, why: str) -> Finding:
        """Return the finding with a fix that was not made."""
        return replace(self, fixed=False, obstacle=why)

    @property
    def is_open(self) -> bool:
        """Whether it is neither fixed nor suppressed."""
        return not self.fixed and self.suppression is None

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


@dataclass(slots=True)
class FileReport:
    """Everything found in one file.

    Parameters
    ----------
    content : bytes, optional
        What the file becomes if it changes.
    waiting : list of Event
        Events that are judged when the whole project is known.
    jobs : tuple of str
        The paths of the programs that start a streaming context and are made of this file.
    project : str
        The folder of its project in the tree, see `migrator.discover.projects`.
    conversion : Conversion, optional
        The file as Python 3 if it is Python 2 and converted; `content` has its other changes too.
    structured : StructuredForm, optional
        What has become of the job if it was rewritten as Structured Streaming.
    asked : list of Finding
        Findings of rules that take part only if they are asked for.
    """

    path: str
    status: Status = Status.UNCHANGED
    error: str | None = None
    findings: list[Finding] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    original: bytes = b""
    content: bytes | None = None
    waiting: list[Event] = field(default_factory=list)
    jobs: tuple[str, ...] = ()
    project: str = ""
    conversion: Conversion | None = None
    structured: StructuredForm | None = None
    asked: list[Finding] = field(default_factory=list)

    @property
    def before_fixes(self) -> bytes:
        """The bytes that fixes start from: those of the file, or of its conversion."""
        if self.conversion is None or self.content is None:
            return self.original
        return self.conversion.content

    @property
    def relevant(self) -> bool:
        """Whether the file has anything to show."""
        return bool(self.findings or self.sites or self.content is not None)

    def add(self, inner: FileReport) -> None:
        """Add what was found in a program inside the file."""
        self.findings += inner.findings
        self.sites += inner.sites
        self.waiting += inner.waiting

    def sort(self) -> None:
        """Bring findings and sites into reading order."""
        self.findings.sort(key=lambda f: (f.at.order, f.code, f.message))
        self.sites.sort(key=lambda s: (s.at.order, s.use, s.name))


@dataclass(slots=True)
class Report:
    """The result of a run.

    Parameters
    ----------
    root : str
        What was looked at, as it was given.
    base : str
        The same as an absolute path, to which the paths of the files are relative.
    fails_on_bugs : bool
        Whether the exit code is 1 because of bugs too.
    hidden_notes : int
        How many notes are left out because nobody asked for them.
    undo : str, optional
        The command that undoes what was rewritten in place.
    verified : dict of str to Verified
        The last verifications of jobs, by their paths.
    facts : callable
        Gives the `ProjectFacts` of a project by its name, once the tree has been read.
    project_of : callable
        Gives the project of any path of the tree.
    """

    root: str
    mode: str
    base: str = ""
    scanned: int = 0
    output: str | None = None
    internal_errors: int = 0
    fail_on: Severity | None = Severity.WARNING
    fails_on_bugs: bool = False
    baseline_gone: int = 0
    hidden_notes: int = 0
    undo: str | None = None
    files: list[FileReport] = field(default_factory=list)
    verified: dict[str, Verified] = field(default_factory=dict)
    facts: Callable[[str], object] = lambda project: None
    project_of: Callable[[str], str] = lambda path: ""

    def findings(self) -> list[tuple[FileReport, Finding]]:
        """Return all findings with their files."""
        return [(f, finding) for f in self.files for finding in f.findings]

    def sites(self) -> list[Site]:
        """Return all sites."""
        return [site for f in self.files for site in f.sites]

    def with_status(self, status: Status) -> int:
        """Return how many files ended with a status."""
        return sum(f.status is status for f in self.files)

    def needing_person(self) -> int:
        """Return how many findings need manual work."""
        return sum(finding.needs_person for _, finding in self.findings())

    def bugs(self) -> list[Finding]:
        """Return the bugs that the jobs have always had."""
        return [finding for _, finding in self.findings() if finding.is_bug]

    def effort(self) -> int:
        """Return minutes of manual work that the findings take together."""
        return sum(f.effort for _, f in self.findings() if f.needs_person)

    def suppressed(self, by: SuppressedBy) -> int:
        """Return how many findings do not count for one reason."""
        found = (f.suppression for _, f in self.findings())
        return sum(s is not None and s.by is by for s in found)

    def by_migration(self) -> dict[Migration, int]:
        """Return how many sites get there in which way."""
        counts = Counter(site.migration for site in self.sites())
        return {way: counts[way] for way in Migration}

    def by_outcome(self) -> dict[Outcome, int]:
        """Return how many sites were rewritten, run as they are, or need a person."""
        counts = Counter(site.outcome for site in self.sites())
        return {outcome: counts[outcome] for outcome in Outcome}

    def _counts(self, finding: Finding) -> bool:
        return self.fails_on_bugs or finding.category is not Category.BUG

    def exit_code(self) -> int:
        """Return 0: no manual work remains (--check: nor rewrites);
        1: some does; 2: an error of migrate.

        `fail_on` is the least severity that counts, None if none does.
        """
        if self.internal_errors:
            return 2
        if self.fail_on is None:
            return 0
        order = list(Severity)
        least = order.index(self.fail_on)
        counted = (f for _, f in self.findings() if f.is_open and self._counts(f))
        if any(order.index(f.severity) <= least for f in counted):
            return 1
        return int(self.mode == "check" and self.with_status(Status.REWRITTEN) > 0)
