"""Looks for old Sparks in the commands and settings of a tree with DStream code."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath

from migrator.discover.filetypes import PROGRAMS, FileType
from migrator.discover.walk import Candidate, script_type
from migrator.languages.spark_homes import HomeText, may_name_home
from migrator.model.report import FileReport, Status
from migrator.rules.registry import findings_for
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

    def completed(
        self, files: list[FileReport], readers: frozenset[str], submit: bool
    ) -> list[FileReport]:
        """Return the reports of a tree with the findings in these files, if it has DStream code.

        Parameters
        ----------
        files : list of FileReport
            The reports of the files that have been analysed.
        readers : frozenset of str
            The programs that read `SPARK_HOME` where they may not do without.
        submit : bool
            Whether `spark-submit` of the jobs is rewritten by another rule.
        """
        jobs = frozenset(PurePath(file.path).name for file in files if file.sites)
        if not jobs:
            return files
        known = {file.path: file for file in files}
        texts = {
            path: HomeText(decode_text(data), kind.value, jobs, submit)
            for path, (kind, data) in self.texts.items()
        }
        needing = {p for p in self.mentions if _needs(p, texts, known, readers)}
        later = {p for p in self.mentions - needing if p not in texts or not texts[p].sets_home}
        for path, text in texts.items():
            events = text.events(bool(needing - {path}), tuple(sorted(later - {path})))
            findings = [f for event in events for f in findings_for(event)]
            if findings:
                report = known.setdefault(path, FileReport(path, original=self.texts[path][1]))
                report.findings += findings
        return list(known.values())


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
