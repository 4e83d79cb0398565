"""Looks for old Sparks in the commands and settings of a tree with DStream code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from migrator.discover.filetypes import PROGRAMS, FileType
from migrator.discover.walk import Candidate, script_type
from migrator.languages.spark_homes import HomeText, may_name_home
from migrator.model.projects import ProjectFacts, concern
from migrator.model.report import FileReport, Status
from migrator.source.decode import decode_text

_NOT_COMMANDS = PROGRAMS | {FileType.SQL, FileType.SLASHES}
# longer texts are data
_LONGEST = 256 * 1024


@dataclass(slots=True)
class SparkHomeFiles:
    """The files of a tree that may name the home of a Spark.

    Parameters
    ----------
    texts : dict of str to (FileType, bytes)
        Those with commands or settings, and their bytes.
    mentions : set of str
        All files that mention `SPARK_HOME`, but for texts for people.
    """

    texts: dict[str, tuple[FileType, bytes]] = field(default_factory=dict)
    mentions: set[str] = field(default_factory=set)

    def add(self, source: Candidate, data: bytes) -> None:
        """Take a file down if it may matter."""
        if b"SPARK_HOME" in data and source.type not in (FileType.PROSE, FileType.DOCUMENT):
            self.mentions.add(source.relative)
        if source.type in _NOT_COMMANDS or len(data) > _LONGEST or not may_name_home(data):
            return
        kind = script_type(source, data)
        if kind is not None and kind not in _NOT_COMMANDS and b"\0" not in data:
            self.texts[source.relative] = kind, data

    def add_events(
        self,
        files: list[FileReport],
        facts: Callable[[str], ProjectFacts],
        project_of: Callable[[str], str],
        submit: bool,
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
        submit : bool
            Whether `spark-submit` of the jobs is rewritten by another rule.
        """
        known = {file.path: file for file in files}
        for project in sorted({project_of(path) for path in self.texts}):
            jobs = facts(project).job_files
            own = {p for p in self.mentions if jobs and concern(project, project_of(p))}
            texts = {
                path: HomeText(decode_text(data), kind.value, jobs, submit)
                for path, (kind, data) in self.texts.items()
                if jobs and concern(project, project_of(path))
            }
            readers = facts(project).home_readers
            needing = {p for p in own if _needs(p, texts, known, readers)}
            later = {p for p in own - needing if p not in texts or not texts[p].sets_home}
            for path in (p for p in texts if project_of(p) == project):
                waits = tuple(sorted(later - {path}))
                events = list(texts[path].events(bool(needing - {path}), waits))
                if events and path not in known:
                    known[path] = FileReport(path, original=self.texts[path][1], project=project)
                    files.append(known[path])
                if events:
                    known[path].events += events


def _needs(
    path: str,
    texts: dict[str, HomeText],
    known: dict[str, FileReport],
    readers: frozenset[str],
) -> bool:
    """Return whether a file that mentions `SPARK_HOME` needs it, whatever is fixed."""
    if path in texts:
        return texts[path].needs_home
    return path in readers or path not in known or known[path].status is Status.UNREADABLE
