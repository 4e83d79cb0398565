"""Makes the reports of files that are not analysed: unreadable, too large, or failed."""

from __future__ import annotations

import traceback
from pathlib import Path

from migrator.discover.candidates import large_file_mentions
from migrator.discover.filetypes import PROGRAMS, FileType, type_by_first_line
from migrator.discover.walk import Candidate
from migrator.model.events import FileProblem
from migrator.model.report import FileReport, Report, Spot

READ_ADVICE = "make it readable and run migrate again"


def failed_report(report: Report, source: Candidate, error: Exception) -> FileReport:
    """Return the report of a file whose analysis raised an error; migrate's own errors are counted.

    Parameters
    ----------
    report : Report
        The report of the run, which goes on and ends with exit code 2.
    error : Exception
        What was raised.
    """
    if isinstance(error, OSError):
        return problem_report(source, "permission", error.strerror or str(error), READ_ADVICE)
    report.internal_errors += 1
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    detail = f"internal error: {type(error).__name__}: {error} ({place})"
    return problem_report(source, "internal", detail, "report this error of migrate")


def large_report(source: Candidate) -> FileReport | None:
    """Return the report of a file that is too large, or None if it does not mention DStreams."""
    if source.type in (FileType.SQL, FileType.DOCUMENT):
        # a dump or data: no notebook and no text for people is as large
        return None
    if source.type is None:
        with source.path.open("rb") as stream:
            # most large files without a suffix are binaries
            if type_by_first_line(stream.read(200)) is None:
                return None
    if not large_file_mentions(source.path, source.type in PROGRAMS):
        return None
    size = f"{source.size / 1024 / 1024:.1f} MB"
    detail = f"{size} is more than is analysed, and it mentions DStreams"
    return problem_report(source, "large", detail, "look through it by hand")


def problem_report(source: Candidate, kind: str, detail: str, advice: str) -> FileReport:
    """Return the report of a file that was not read."""
    problem = FileProblem(Spot(1, 1), kind, detail, advice)
    return FileReport(source.relative).mark_unreadable(problem)
