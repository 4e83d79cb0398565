"""Looks for old Sparks, and for jobs that are submitted, in the commands and settings of a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from migrator.discover.filetypes import PROGRAMS, FileType
from migrator.discover.walk import Candidate, script_type
from migrator.languages.spark_homes import HomeText, may_name_home, submit_commands
from migrator.model.events import Event
from migrator.model.projects import ProjectFacts, concern
from migrator.model.report import FileReport, Status
from migrator.source.decode import decode_text

_NOT_COMMANDS = PROGRAMS | {FileType.SQL, FileType.SLASHES}
# longer texts are data
_LONGEST = 256 * 1024

_Texts = dict[str, tuple[FileType, bytes]]


@dataclass(slots=True)
class CommandFiles:
    """The files of a tree whose commands and settings matter to the jobs in other files.

    Parameters
    ----------
    submit : bool
        Whether `spark-submit` of the jobs is rewritten.
    homes : dict of str to (FileType, bytes)
        Those that may name the home of a Spark, and their bytes.
    submits : dict of str to (FileType, bytes)
        Those that may submit a job, if that is rewritten.
    mentions : set of str
        All files that mention `SPARK_HOME`, but for texts for people.
    """

    submit: bool = False
    homes: _Texts = field(default_factory=dict)
    submits: _Texts = field(default_factory=dict)
    mentions: set[str] = field(default_factory=set)

    def add(self, source: Candidate, data: bytes) -> None:
        """Take a file down if it may matter."""
        if b"SPARK_HOME" in data and source.type not in (FileType.PROSE, FileType.DOCUMENT):
            self.mentions.add(source.relative)
        if source.type in _NOT_COMMANDS:
            return
        has_home = len(data) <= _LONGEST and may_name_home(data) and b"\0" not in data
        submits = self.submit and b"-submit" in data
        kind = script_type(source, data) if has_home or submits else None
        if kind is None or kind in _NOT_COMMANDS:
            return
        if has_home:
            self.homes[source.relative] = kind, data
        if submits:
            self.submits[source.relative] = kind, data

    def add_events(
        self,
        files: list[FileReport],
        facts: Callable[[str], ProjectFacts],
        project_of: Callable[[str], str],
    ) -> None:
        """Add what these files name to the reports of a tree, for projects with DStream code.

        Parameters
        ----------
        files : list of FileReport
            The reports of the files that have been analysed.
        facts : callable
            Gives what is known of a project.
        project_of : callable
            Gives the project of a path.
        """
        files_by_path = {file.path: file for file in files}

        def add(path: str, data: bytes, events: list[Event]) -> None:
            if events and path not in files_by_path:
                files_by_path[path] = FileReport(path, original=data, project=project_of(path))
                files.append(files_by_path[path])
            if events:
                files_by_path[path].events += events

        for project in sorted({project_of(path) for path in self.homes}):
            jobs = facts(project).job_files
            own = {p for p in self.mentions if jobs and concern(project, project_of(p))}
            texts = {
                path: HomeText(decode_text(data), kind.value, jobs, self.submit)
                for path, (kind, data) in self.homes.items()
                if jobs and concern(project, project_of(path))
            }
            readers = facts(project).home_readers
            needing = {p for p in own if _needs(p, texts, files_by_path, readers)}
            later = {p for p in own - needing if p not in texts or not texts[p].sets_home}
            for path in (p for p in texts if project_of(p) == project):
                waits = tuple(sorted(later - {path}))
                new_events = texts[path].events(bool(needing - {path}), waits)
                add(path, self.homes[path][1], list(new_events))
        for path, (kind, data) in self.submits.items():
            jobs = facts(project_of(path)).job_files
            add(path, data, list(submit_commands(decode_text(data), kind.value, jobs)))


def _needs(
    path: str,
    texts: dict[str, HomeText],
    files_by_path: dict[str, FileReport],
    readers: frozenset[str],
) -> bool:
    """Return whether a file that mentions `SPARK_HOME` needs it, whatever is fixed."""
    if path in texts:
        return texts[path].needs_home
    return (
        path in readers
        or path not in files_by_path
        or files_by_path[path].status is Status.UNREADABLE
    )
