"""Regular expressions that are written in the code."""

from __future__ import annotations

import importlib
import re
from typing import Any

from .types import Pattern, UnknownTypeError

parser: Any = importlib.import_module("re._parser")
codes: Any = importlib.import_module("re._constants")


def pattern_of(text: str) -> Pattern:
    """Return a pattern: for each group, whether it is in every match.

    Raises
    ------
    UnknownTypeError
        if it is no pattern
    """
    try:
        parsed = parser.parse(text)
    except (re.error, OverflowError, RecursionError):
        raise UnknownTypeError("the pattern is not one of `re`") from None
    count = parsed.state.groups - 1
    groups = dict.fromkeys(range(1, count + 1), False)
    _always(list(parsed), groups)
    return Pattern(tuple(groups.values()))


def _always(parts: list[Any], groups: dict[int, bool]) -> None:
    """Note the groups that every match has."""
    for op, value in parts:
        if op is codes.SUBPATTERN:
            group, _, _, inside = value
            if group is not None:
                groups[group] = True
            _always(list(inside), groups)
        elif op in (codes.MAX_REPEAT, codes.MIN_REPEAT) and value[0] > 0:
            _always(list(value[2]), groups)
