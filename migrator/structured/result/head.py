"""The head of a result: a line that says which Spark it needs."""

from __future__ import annotations

import ast
import re

from migrator.source.layout import marked_place
from migrator.source.lines import keep_ends
from migrator.spark.since import Version, version_name

_HEAD = re.compile(r"[ \t]*# Needs Spark \d+\.\d+ or newer\.")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")


def with_head(text: str, spark: Version) -> str:
    """Return a result whose head says which Spark it needs, once: above all but what has to be
    first; in a notebook, whose cells may have something to be first, above the import of Spark.
    """
    lines = _without_head(keep_ends(text))
    head = f"# Needs Spark {version_name(spark)} or newer.\n"
    if any(marked_place(line) is not None for line in lines):
        place, indent = _import_of_spark("".join(lines))
        lines.insert(place, " " * indent + head)
        return "".join(lines)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    place = 0
    if lines and lines[0].removeprefix(mark).startswith("#!"):
        place = 1
    if place < len(lines) and _CODING.match(lines[place].removeprefix(mark)):
        place += 1
    if place < 1 and mark:
        lines[0] = lines[0].removeprefix(mark)
        head = mark + head
    is_apart = place == len(lines) or not lines[place].strip()
    lines[place:place] = [head] if is_apart else [head, "\n"]
    return "".join(lines)


def _without_head(lines: list[str]) -> list[str]:
    """Return lines without the heads of earlier results and the empty lines behind them."""
    lines_left: list[str] = []
    is_head = False
    for line in lines:
        follows, is_head = is_head, _HEAD.fullmatch(line.rstrip("\r\n")) is not None
        if not (is_head or (follows and not line.strip())):
            lines_left.append(line)
    return lines_left


def _import_of_spark(text: str) -> tuple[int, int]:
    """Return the place and the indentation of the first import of Spark's SQL."""
    places = [
        (node.lineno - 1, node.col_offset)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pyspark.sql")
    ]
    return min(places, default=(0, 0))
