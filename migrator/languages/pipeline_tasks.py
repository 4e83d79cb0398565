"""The versions of Python that tasks of Azure Pipelines ask for with `UsePythonVersion`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TASK = re.compile(r"[ \t]*(?:-[ \t]+)?task:[ \t]*[\"']?UsePythonVersion@\d+[\"']?[ \t]*$")
# no step has more lines before or behind its task
_LONGEST = 50
_VERSION = r"(?P<spec>\d+(?:\.\d+)*(?:\.[x*])?)(?=[\"'\s,}]|$)"
_GIVEN = re.compile(
    rf"(?:^|(?<=[\s{{,\"']))versionSpec[\"']?:[ \t]*[\"']?(?:{_VERSION}|\$\((?P<variable>[\w.]+)\))"
)


@dataclass(frozen=True, slots=True)
class TaskVersion:
    """A version that tasks ask for.

    Parameters
    ----------
    versions : tuple of str
        The version; all of them, if those of a matrix take turns.
    line, column : int
        Where the first stands, from 0.
    """

    versions: tuple[str, ...]
    line: int
    column: int


def task_versions(lines: Sequence[str]) -> Iterator[TaskVersion]:
    """Yield the versions in a file of Azure Pipelines.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    seen: set[str] = set()
    for number, line in enumerate(lines):
        if _TASK.match(line) is None:
            continue
        for row in _step(lines, number, line.index("task:")):
            given = _GIVEN.search(lines[row])
            if given is None:
                continue
            if given["spec"] is not None:
                yield TaskVersion((given["spec"],), row, given.start("spec"))
            elif given["variable"] not in seen:
                seen.add(given["variable"])
                yield from _of_variable(lines, given["variable"])


def _step(lines: Sequence[str], number: int, column: int) -> Iterator[int]:
    """Yield the lines of the step with a task, whose keys stand in a column."""
    first, farthest = number, max(number - _LONGEST, 0)
    while first > farthest and not _starts_item(lines[first], column):
        first -= 1
        if 0 <= _depth(lines[first]) < column and not _starts_item(lines[first], column):
            return
    for row in range(first, min(number + _LONGEST, len(lines))):
        if row > first and 0 <= _depth(lines[row]) < column:
            return
        yield row


def _starts_item(line: str, column: int) -> bool:
    return re.fullmatch(r"[ \t]*-[ \t]+", line[:column]) is not None and len(line) > column


def _depth(line: str) -> int:
    """Return the column of the first character, -1 in an empty line."""
    text = line.lstrip()
    return len(line) - len(text) if text else -1


def _of_variable(lines: Sequence[str], name: str) -> Iterator[TaskVersion]:
    """Yield the values that a file gives to a variable; nothing if it gives none or others."""
    given = re.compile(rf"(?:^[ \t]*|[{{,][ \t]*)[\"']?{re.escape(name)}[\"']?:[ \t]*(?=\S)")
    version = re.compile(rf"[\"']?{_VERSION}")
    found: list[tuple[str, int, int]] = []
    for number, line in enumerate(lines):
        for value in given.finditer(line):
            spec = version.match(line, value.end())
            if spec is None:
                return
            found.append((spec["spec"], number, spec.start("spec")))
    if found:
        yield TaskVersion(tuple(spec for spec, _, _ in found), *found[0][1:])
