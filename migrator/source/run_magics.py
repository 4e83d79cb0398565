"""`%run other`: a notebook or script that is run in the namespace of this one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from migrator.source.lines import split_lines

_RUN = re.compile(
    r"[ \t]*%?run[ \t]+(?:-\w[ \t]+)*"
    r"(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'|(?P<plain>[^\s\"'-][^\s\"']*))"
)
_DATABRICKS = re.compile(r"# MAGIC(?=[ \t]+%run\b)")


class RunMagic(ast.Pass):
    """A statement for inference that stands where a notebook runs another one."""

    def __init__(self, line: int, target: str) -> None:
        super().__init__(lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
        self.target = target


def run_target(line: str) -> str | None:
    """Return what a line of a notebook that is a magic runs, or None."""
    match = _RUN.match(line)
    if match is None:
        return None
    return match["double"] or match["single"] or match["plain"]


def databricks_runs(text: str) -> Iterator[RunMagic]:
    """Yield the same for the cells in comments of a source notebook of Databricks."""
    for number, line in enumerate(split_lines(text), 1):
        mark = _DATABRICKS.match(line)
        target = None if mark is None else run_target(line[mark.end() :])
        if target is not None:
            yield RunMagic(number, target)


def with_runs(body: list[ast.stmt], runs: Iterable[RunMagic]) -> list[ast.stmt]:
    """Return the statements of a notebook with what it runs at its place."""
    # a magic stands in the text as `pass`, which may be anywhere in its line
    return sorted([*runs, *body], key=lambda s: s.lineno)
