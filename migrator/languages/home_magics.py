"""Finds the lines of a notebook, magics and commands, that set or read `SPARK_HOME`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.model.events import Event
from migrator.model.home_events import SparkHome, SparkHomeRead
from migrator.model.report import Spot, TextEdit
from migrator.spark.homes import described, names_old

_MAGIC = re.compile(
    r"(?:%(?:set_)?env[ \t]+SPARK_HOME(?:[ \t]*=[ \t]*|[ \t]+)|![ \t]*export[ \t]+SPARK_HOME=)"
    r"[\"']?(?P<path>[^\s\"';&|]+)[\"']?"
)
_MENTION = re.compile(r"(?<!\w)SPARK_HOME(?!\w)")


def magic_homes(line: str, number: int, cell: int | None) -> Iterator[Event]:
    """Yield the events of a line of a notebook that is a magic or a command.

    Parameters
    ----------
    line : str
        The line with its end.
    number : int
        Its number in the cell.
    """
    match = _MAGIC.fullmatch(line.rstrip())
    if match is None:
        if _MENTION.search(line):
            yield SparkHomeRead(Spot(number, 1, cell))
        return
    path = match["path"]
    if path.startswith(("/", "~")) and (names_old(path) or not described(path)):
        at = Spot(number, 1, cell)
        is_old = names_old(path)
        edits = (TextEdit(at, line, ""),) if is_old else ()
        yield SparkHome(at, "variable", line.strip(), described(path), is_old, edits, unsets=True)
