"""What the tests of converted Python 2 share."""

from __future__ import annotations

from migrator.model.report import FileReport, Severity
from tests.support.migrator.reports import report

# two lines that make a source a job in Python 2
HEAD = "from pyspark.streaming import StreamingContext\nprint 'x'\n"


def converted(source: str) -> FileReport:
    """The report of a job in Python 2, which was converted."""
    found = report((HEAD + source).encode())
    assert found.conversion is not None
    return found


def told(source: str, code: str) -> list[str]:
    """The findings of a rule: `line` if it is a warning, `line!` if it is an error."""
    found = [f for f in converted(source).findings if f.code == code]
    assert all(f.severity in (Severity.ERROR, Severity.WARNING) and f.effort for f in found)
    return [f"{f.at.line - 2}{'!' if f.severity is Severity.ERROR else ''}" for f in found]


def after(source: str) -> str:
    """A source as Python 3, without the lines of the head."""
    found = report((HEAD + source).encode())
    assert found.conversion is not None
    lines = found.conversion.content.decode().splitlines(keepends=True)
    if lines[0].startswith("from functools"):
        return "".join([lines[0], *lines[3:]])
    return "".join(lines[2:])
