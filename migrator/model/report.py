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
from dataclasses import dataclass, field

from migrator.model.changes import IgnoresAdded, ProposedChange
from migrator.model.events import Event, FileProblem, PackageUse, Use
from migrator.model.findings import (
    Category,
    Confidence,
    Conversion,
    Finding,
    Fix,
    Migration,
    Outcome,
    Safety,
    Severity,
    Site,
    Spot,
    Status,
    StreamOrigin,
    SuppressedBy,
    Suppression,
    TextEdit,
    shown_place,
)
from migrator.model.locate import ModuleIndex
from migrator.model.projects import ProjectFacts
from migrator.model.structured_forms import StructuredForm
from migrator.model.verification import Verified

# The Python programs of a tree, as steps after its reading may ask for them.


@dataclass(slots=True)
class ProgramTree:
    """How the programs of a tree hang together.

    Parameters
    ----------
    index : callable
        Where their imports lead.
    importers : callable
        The files that import a file.
    read : callable
        The bytes of a file, empty if it cannot be read.
    """

    index: Callable[[], ModuleIndex] = lambda: ModuleIndex(())
    importers: Callable[[str], list[str]] = lambda path: []
    read: Callable[[str], bytes] = lambda path: b""


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


@dataclass(slots=True)
class FileReport:
    """Everything found in one file.

    Parameters
    ----------
    content : bytes, optional
        What the file becomes if it changes.
    events : list of Event
        What was found; rules make findings of it once the project is known.
    jobs : tuple of str
        The paths of the programs that start a streaming context and are made of this file.
    project : str
        The folder of its project in the tree, see `migrator.discover.projects`.
    conversion : Conversion, optional
        The file as Python 3 if it is Python 2 and converted; `content` has its other changes too.
    structured : StructuredForm, optional
        What has become of the job if it was rewritten as Structured Streaming.
    rewrite_again : callable, optional
        Rewrites that job with fixes, if it was rewritten; None if they are in the way.
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
    events: list[Event] = field(default_factory=list)
    jobs: tuple[str, ...] = ()
    project: str = ""
    conversion: Conversion | None = None
    structured: StructuredForm | None = None
    rewrite_again: Callable[[bytes], bytes | None] | None = None
    asked: list[Finding] = field(default_factory=list)

    @property
    def before_fixes(self) -> bytes:
        """The bytes that fixes start from: those of the file, or of its conversion."""
        if self.conversion is None or self.content is None:
            return self.original
        return self.conversion.content

    @property
    def steps(self) -> list[tuple[str, bytes, bytes]]:
        """What it becomes: a title, empty if there is one step only, and both contents."""
        if self.content is None:
            return []
        if self.conversion is None:
            return [("", self.original, self.content)]
        middle = self.conversion.content
        found = [("Python 2 to Python 3", self.original, middle)]
        if middle != self.content:
            found.append(("DStreams to dstream_compat", middle, self.content))
        return found

    @property
    def relevant(self) -> bool:
        """Whether the file has anything to show."""
        return bool(self.findings or self.sites or self.content is not None)

    @property
    def uses(self) -> list[Use | PackageUse]:
        """The events that are sites, which rules have still to judge."""
        return [event for event in self.events if isinstance(event, Use | PackageUse)]

    @property
    def is_wanted(self) -> bool:
        """Whether the rewriting of the file solves something that counts."""
        solved = [f for f in self.findings if f.is_fixed and f.own_fix is None]
        return any(f.suppression is None for f in solved)

    def drop_content(self) -> None:
        """Decide that the file is not rewritten."""
        self.content = None
        if self.status is Status.REWRITTEN:
            self.status = Status.UNCHANGED

    def mark_unreadable(self, problem: FileProblem) -> FileReport:
        """Mark the file as not readable because of a problem."""
        self.status = Status.UNREADABLE
        self.error = self.error or problem.detail
        self.events.append(problem)
        return self

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
    paths : tuple of str
        Each path of it, if there are several.
    base : str
        The same as an absolute path, to which the paths of the files are relative.
    fails_on_bugs : bool
        Whether the exit code is 1 because of bugs too.
    hidden_notes : int
        How many notes are left out because nobody asked for them.
    undo : str, optional
        The command that undoes what was rewritten in place.
    target : str
        What jobs were to become: `compat` or `structured`.
    changes : list of ProposedChange
        What the run would change, for reports in which a person accepts it.
    ignores : IgnoresAdded, optional
        What became of `--add-ignores`.
    verified : dict of str to Verified
        The last verifications of jobs, by their paths.
    facts : callable
        Gives what is known of a project by its name, once the tree has been read.
    project_of : callable
        Gives the project of any path of the tree.
    programs : ProgramTree
        How its Python programs hang together.
    """

    root: str
    mode: str
    paths: tuple[str, ...] = ()
    base: str = ""
    scanned: int = 0
    output: str | None = None
    internal_errors: int = 0
    fail_on: Severity | None = Severity.WARNING
    fails_on_bugs: bool = False
    baseline_gone: int = 0
    hidden_notes: int = 0
    undo: str | None = None
    target: str = "compat"
    changes: list[ProposedChange] = field(default_factory=list)
    ignores: IgnoresAdded | None = None
    files: list[FileReport] = field(default_factory=list)
    verified: dict[str, Verified] = field(default_factory=dict)
    facts: Callable[[str], ProjectFacts] = lambda project: ProjectFacts()
    project_of: Callable[[str], str] = lambda path: ""
    programs: ProgramTree = field(default_factory=ProgramTree)

    def findings(self) -> list[tuple[FileReport, Finding]]:
        """Return all findings with their files."""
        return [(f, finding) for f in self.files for finding in f.findings]

    def sites(self) -> list[Site]:
        """Return all sites."""
        return [site for f in self.files for site in f.sites]

    def with_status(self, status: Status) -> int:
        """Return how many files ended with a status."""
        return sum(f.status is status for f in self.files)

    def count_manual(self) -> int:
        """Return how many findings need manual work."""
        return sum(finding.needs_person for _, finding in self.findings())

    def bugs(self) -> list[Finding]:
        """Return the bugs that the jobs have always had."""
        return [finding for _, finding in self.findings() if finding.is_bug]

    def effort(self) -> int:
        """Return minutes of manual work that the findings take together."""
        return sum(f.effort for _, f in self.findings() if f.needs_person)

    def count_suppressed(self, by: SuppressedBy) -> int:
        """Return how many findings do not count for one reason."""
        suppressions = (f.suppression for _, f in self.findings())
        return sum(s is not None and s.by is by for s in suppressions)

    def by_migration(self) -> dict[Migration, int]:
        """Return how many sites get there in which way."""
        counts = Counter(site.migration for site in self.sites())
        return {way: counts[way] for way in Migration}

    def by_outcome(self) -> dict[Outcome, int]:
        """Return how many sites were rewritten, run as they are, or need a person."""
        counts = Counter(site.outcome for site in self.sites())
        return {outcome: counts[outcome] for outcome in Outcome}

    def by_rule(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """Return what each rule found, by code and name: fixed, to do, bugs, notes, minutes."""
        groups: dict[tuple[str, str], list[Finding]] = {}
        for _, finding in self.findings():
            if finding.suppression is None:
                groups.setdefault((finding.code, finding.name), []).append(finding)
        return {rule: _counts(findings) for rule, findings in sorted(groups.items())}

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


def _counts(findings: list[Finding]) -> tuple[int, ...]:
    fixed = sum(f.is_fixed for f in findings)
    todo = sum(f.needs_person for f in findings)
    bugs = sum(f.is_bug for f in findings)
    minutes = sum(f.effort for f in findings if f.asks_for_change)
    return fixed, todo, bugs, len(findings) - fixed - todo - bugs, minutes
