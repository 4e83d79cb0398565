"""Reports the programs of a tree, those together that import each other, and finds its jobs, which
are programs that start a streaming context, and the files they consist of.

A module that starts the context for others is no job: the programs that import it are. A program
that runs by itself stays one even if others import it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, field
from functools import cache

from migrator.discover.candidates import MAX_BYTES, mentions_streaming
from migrator.discover.filetypes import FileType
from migrator.discover.neighbours import Neighbours
from migrator.discover.walk import Candidate
from migrator.infer.fixpoint import add_module, infer
from migrator.infer.import_graph import ImportGraph
from migrator.infer.program import Project
from migrator.model.events import Requirement, SparkHome, SparkHomeRead, Use
from migrator.model.locate import ModuleIndex
from migrator.model.report import FileReport, ProgramTree, Status
from migrator.run.analyse_file import InferredFile, ReadProgram, analyse, read_program
from migrator.source.decode import DecodeProblem
from migrator.source.notebook import NotebookProblem
from migrator.source.python import Unit, deep_recursion

# Apache Bahir's module, of which jobs bring copies, by a class that only it names
_BAHIRS_FILE = "mqtt.py"
_BAHIRS_CLASS = b"MQTTUtilsPythonHelper"

# what is told of a program that only starts jobs
_OF_STARTERS = (Requirement, SparkHome, SparkHomeRead)

# makes the report of a file that raised an exception
Failed = Callable[[Candidate, Exception], FileReport]
_GUARD = re.compile(rb"^if\s+(?:__name__\s*==|.{0,20}==\s*__name__)", re.MULTILINE)
_TEST = re.compile(
    rb"^\s*(?:import|from)\s+(?:unittest|pytest|nose)\b|^\s*def\s+test_", re.MULTILINE
)
# of a file that does not parse
_START = re.compile(rb"\.(?:start|awaitTermination)\(")


@dataclass(slots=True)
class Programs:
    """The Python files and notebooks of a tree.

    Parameters
    ----------
    sources : dict of str to (Candidate, FileType)
        All of them by path, with how to read them.
    candidates : list of str
        The paths of those that may have DStream code.
    starters : list of str
        The paths of others that may start jobs.
    around : Neighbours
        Modules of the same project that are read if others import them, but not reported.
    looked_around : bool
        Whether one of them was read.
    related : callable
        Whether an import of a file may lead to another one whose place alone does not say so.
    """

    sources: dict[str, tuple[Candidate, FileType]] = field(default_factory=dict)
    candidates: list[str] = field(default_factory=list)
    starters: list[str] = field(default_factory=list)
    around: Neighbours = field(default_factory=Neighbours)
    looked_around: bool = False
    related: Callable[[str, str], bool] = lambda one, other: True

    def add(self, source: Candidate, kind: FileType, candidate: bool, starts: bool = False) -> None:
        """Add a file; starts: whether it may start jobs, even if it is no candidate."""
        self.sources[source.relative] = source, kind
        if candidate:
            self.candidates.append(source.relative)
        elif starts:
            self.starters.append(source.relative)

    def reports(
        self, failed: Failed, progress: Callable[[str, int, int], None] | None = None
    ) -> list[FileReport]:
        """Return the reports of the candidates, of the modules
        that streams get to, and of job starters.

        Parameters
        ----------
        failed : Failed
            Makes the report of a file that raised an exception.
        progress : callable, optional
            Called with the name of a file, how many are done, and how many candidates there are.
        """
        if not self.candidates:
            return []
        graph, copies = self._graph()
        users = graph
        if self.around.sources:
            # who sees the names of a file, wherever it lies; seldom asked
            users = ImportGraph(graph.index, self.around.sources | self.sources, self.read)
        done: dict[str, FileReport] = {}
        # nothing imports a copy once dstream_compat takes its place
        for group in graph.groups([f for f in self.candidates if f not in copies]):
            for report in self._group(graph, users, group, failed):
                if progress is not None:
                    progress(report.path, len(done), max(len(self.candidates), len(done)))
                done.setdefault(report.path, report)
        all_reports = list(done.values())
        name_jobs(all_reports, graph, self.read, self.around.sources)
        return all_reports + [self._starter(f, failed) for f in self.starters if f not in done]

    def tree(self) -> ProgramTree:
        """Return how the programs hang together, which is found out when it is asked for."""
        graph = cache(lambda: self._graph()[0])
        return ProgramTree(lambda: graph().index, lambda path: graph().importers(path), self.read)

    def _graph(self) -> tuple[ImportGraph, list[str]]:
        """Return the imports between the programs, and the files that are copies of Bahir's."""
        files = self.around.sources | self.sources
        copies = [file for file in files if self._is_bahirs(file)]
        index = ModuleIndex(files, self.around.base, copies, self.related)
        return ImportGraph(index, self.sources, self.read), copies

    def _starter(self, file: str, failed: Failed) -> FileReport:
        """Return the report of a program that may start jobs: with which Spark, Java and Python."""
        source, kind = self.sources[file]
        data = b""
        try:
            data = source.path.read_bytes()
            report = analyse(file, kind, data, convert=False)
        except Exception as error:
            return failed(source, error)
        return FileReport(
            file, original=data, events=[e for e in report.events if isinstance(e, _OF_STARTERS)]
        )

    def _group(
        self, graph: ImportGraph, users: ImportGraph, group: list[str], failed: Failed
    ) -> Iterator[FileReport]:
        # whether DStream code is in one of the programs that import each other
        is_job = any(mentions_streaming(self.read(file)) for file in group)
        reader = _Reader(self, graph.index, is_job)
        project = Project(graph.index, reader.unit, graph.importers, users.importers)
        broken: Exception | None = None
        try:
            with deep_recursion():
                for file in group:
                    unit = reader.unit(file)
                    if unit is None:
                        project.failed.add(file)
                    else:
                        add_module(project, file, unit, True)
                infer(project)
        except Exception as error:
            # analysed one by one, the file that fails is found
            broken = error
            project.programs.clear()
        files = [f for f in dict.fromkeys([*group, *project.programs]) if f in self.sources]
        for file in files:
            source, kind = self.sources[file]
            program = project.programs.get(file)
            try:
                if program is None:
                    report = analyse(file, kind, source.path.read_bytes())
                else:
                    data, read = reader.documents[file]
                    report = analyse(file, kind, data, InferredFile(read, program))
            except Exception as error:
                broken = None
                report = failed(source, error)
            if broken is not None and file == files[-1]:
                report = failed(source, broken)
            yield report

    def _is_bahirs(self, file: str) -> bool:
        return file.rpartition("/")[2] == _BAHIRS_FILE and _BAHIRS_CLASS in self.read(file)

    def makes_context_around(self) -> bool:
        """Return whether a context may be made around the tree."""
        return any(b"StreamingContext(" in self.read(f) for f in self.around.sources)

    def find(self, file: str) -> tuple[Candidate, FileType]:
        """Return a file by its path, and how to read it."""
        source = self.sources.get(file)
        if source is None:
            self.looked_around = True
            return self.around.sources[file]
        return source

    def read(self, file: str) -> bytes:
        """Return the bytes of a file, empty if it is too large or cannot be read."""
        source, _ = self.find(file)
        if source.size > MAX_BYTES:
            return b""
        try:
            return source.path.read_bytes()
        except OSError:
            # whether it matters is not known; if it is a candidate, it has been reported
            return b""


@dataclass(slots=True)
class _Reader:
    programs: Programs
    index: ModuleIndex
    convert: bool
    documents: dict[str, tuple[bytes, ReadProgram]] = field(default_factory=dict)

    def unit(self, file: str) -> Unit | None:
        """Return what can be analysed of a file, or None; then its own report says why."""
        kind = self.programs.find(file)[1]
        data = self.programs.read(file)
        try:
            read = read_program(kind, data, self.convert)
        except (DecodeProblem, NotebookProblem):
            return None
        self.documents[file] = data, read
        return read.document.unit


def name_jobs(
    files: list[FileReport],
    graph: ImportGraph,
    read: Callable[[str], bytes],
    around: Container[str] = (),
) -> None:
    """Say of each file which jobs it belongs to.

    Parameters
    ----------
    files : list of FileReport
        The reports of the programs of a tree.
    graph : ImportGraph
        The imports between them, and from other programs.
    read : callable
        Returns the bytes of a file.
    around : container of str
        Modules of the same project that are read, but have no report.
    """
    jobs = _Jobs(files, graph, read, around)
    members: dict[str, list[str]] = {}
    for job in jobs.paths():
        for path in jobs.consists_of(job):
            members.setdefault(path, []).append(job)
    for file in files:
        file.jobs = tuple(sorted(members.get(file.path, ())))


def name_foreign_job(file: FileReport) -> None:
    """Make a Scala or Java source that starts a context a job."""
    if not file.jobs and _starts(file):
        file.jobs = (file.path,)


class _Jobs:
    def __init__(
        self,
        files: list[FileReport],
        graph: ImportGraph,
        read: Callable[[str], bytes],
        around: Container[str],
    ) -> None:
        self.graph = graph
        self.read = read
        self.around = around
        self.streaming = [file.path for file in files if file.uses]
        self.starting = {
            file.path: file
            for file in files
            if _starts(file) or (file.uses and self._starts_elsewhere(file.path))
        }

    def paths(self) -> list[str]:
        """Return the jobs: programs that start a context, or their modules, and nobody imports."""
        users: dict[str, list[str]] = {}
        pending = list(self.starting)
        while pending:
            path = pending.pop()
            if path not in users:
                users[path] = self._users(path)
                pending += users[path]
        jobs = [path for path, above in users.items() if not above or self._runs_alone(path)]
        reached = {path for job in jobs for path in self.consists_of(job)}
        # modules that import each other in a circle
        return [*jobs, *(path for path in self.starting if path not in reached)]

    def consists_of(self, job: str) -> list[str]:
        """Return a job and all that it imports, directly or not."""
        seen = {job: None}
        pending = [job]
        while pending:
            for path in self.graph.imports(pending.pop()):
                if path not in seen:
                    seen[path] = None
                    pending.append(path)
        return list(seen)

    def _starts_elsewhere(self, path: str) -> bool:
        """Return whether a module that starts a context is imported from around the tree."""
        outside = [other for other in self.consists_of(path) if other in self.around]
        return any(
            b"StreamingContext" in (data := self.read(o)) and _START.search(data) for o in outside
        )

    def _users(self, path: str) -> list[str]:
        """Return the programs that run a module, tests aside."""
        if self._runs_alone(path):
            # whatever has no streams takes only a name from it
            importers = [user for user in self.streaming if path in self.graph.imports(user)]
        else:
            importers = self.graph.importers(path)
        return [user for user in importers if not _TEST.search(self.read(user))]

    def _runs_alone(self, path: str) -> bool:
        """Return whether a program does its work when it is run."""
        if path.endswith(".ipynb"):
            return True
        data = self.read(path)
        if _GUARD.search(data):
            return True
        file = self.starting.get(path)
        lines = data.splitlines()
        calls = [] if file is None else _calls(file)
        starts = [use.at.line for use in calls if use.name == "start"]
        return any(n <= len(lines) and not lines[n - 1][:1].isspace() for n in starts)


def _calls(file: FileReport) -> list[Use]:
    return [event for event in file.events if isinstance(event, Use)]


def _starts(file: FileReport) -> bool:
    if any(u.name == "start" and u.receiver == "StreamingContext" for u in _calls(file)):
        return True
    return file.status is Status.UNREADABLE and bool(_START.search(file.original))
