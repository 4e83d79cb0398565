"""The statements without effect that keep the places of what is no code of a program."""

from __future__ import annotations

import re

_MARK = "pass  # migrate-keeps-place-"
_MARKED = re.compile(re.escape(_MARK) + r"(\d+)[\r\n]*")


def place_mark(number: int) -> str:
    """Return the statement with a number."""
    return f"{_MARK}{number}"


def marked_place(line: str) -> int | None:
    """Return the number of the statement that a line is, None if it is another one."""
    match = _MARKED.fullmatch(line)
    return None if match is None else int(match[1])
