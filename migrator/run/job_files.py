"""Finds the jobs of a tree: programs that start a streaming context, and the files they consist of.

A module that starts the context for others is no job: the programs that import it are. A program
that runs by itself stays one even if others import it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from migrator.infer.import_graph import ImportGraph
from migrator.model.events import Use
from migrator.model.report import FileReport, Status

_GUARD = re.compile(rb"^if\s+(?:__name__\s*==|.{0,20}==\s*__name__)", re.MULTILINE)
_TEST = re.compile(
    rb"^\s*(?:import|from)\s+(?:unittest|pytest|nose)\b|^\s*def\s+test_", re.MULTILINE
)
# of a file that does not parse
_START = re.compile(rb"\.(?:start|awaitTermination)\(")


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
