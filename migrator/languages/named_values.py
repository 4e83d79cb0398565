"""Values whose names stand beside them: `- name: X` and `value: Y`, `<name>` and `<value>`.

Containers, Terraform, JSON of services, and Hadoop's XML set variables and settings so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# what only names that matter here end with
_ENDS = r"(?:JAVA_HOME|SPARK_HOME|PYTHONPATH|PATH|PYSPARK(?:_DRIVER)?_PYTHON|\.python)"
_NAME = rf"[\"']?name[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name%d>[\w.]*{_ENDS})[\"']?"
_VALUE = (
    r"[\"']?value[\"']?[ \t]*[:=][ \t]*(?:\"(?P<double%d>[^\"\n]+)\"|'(?P<single%d>[^'\n]+)'"
    r"|(?P<plain%d>(?:\$\{[^{}\s]*\}|[^\s\"'<>,{}])+))"
)
_BETWEEN = r"[ \t]*,?\s*"
_PAIR = re.compile(
    rf"(?<![\w-])(?:{_NAME % 1}{_BETWEEN}{_VALUE % (1, 1, 1)}"
    rf"|{_VALUE % (2, 2, 2)}{_BETWEEN}{_NAME % 2}"
    rf"|<name>\s*(?P<name3>[\w.]*{_ENDS})\s*</name>\s*<value>\s*(?P<plain3>[^\s<>]+)\s*</value>)",
    re.IGNORECASE,
)
_HINT = re.compile(rf"{_ENDS}(?:[\"'\s<,}}]|\Z)")


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value, the name that is given beside it, and where it stands: line and column from 0."""

    name: str
    value: str
    line: int
    column: int


def named_values(lines: Sequence[str]) -> Iterator[NamedValue]:
    """Yield the values of a text whose names say that they are a path or a Python.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any("alue" in line for line in lines):
        return
    text = "\n".join(lines)
    if _HINT.search(text) is None:
        return
    for match in _PAIR.finditer(text):
        found = {key: group for key, group in match.groupdict().items() if group is not None}
        name = next(group for key, group in found.items() if key.startswith("name"))
        key = next(key for key in found if not key.startswith("name"))
        start = match.start(key)
        line = text.count("\n", 0, start)
        yield NamedValue(name, match[key], line, start - text.rfind("\n", 0, start) - 1)
