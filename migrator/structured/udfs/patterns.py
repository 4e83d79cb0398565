"""The types of what functions of `re` give."""

from __future__ import annotations

import ast
import importlib
import re
from typing import Any

from dstream_compat.native.types import Array, Nullable, String, Type, tuple_of

from .following import Following
from .names import Value
from .types import Match, Pattern, UnknownTypeError

parser: Any = importlib.import_module("re._parser")
codes: Any = importlib.import_module("re._constants")
SEARCHES = frozenset(("match", "search", "fullmatch"))


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


def pattern_call(
    here: Following,
    name: str,
    values: list[Value],
    keywords: dict[str, Value],
    nodes: list[ast.expr],
) -> Type:
    """Return the type of what a function of the module `re` gives, whose pattern is a constant."""
    if not nodes or not values or keywords:
        raise UnknownTypeError(f"`re.{name}` with these arguments is not known")
    first = nodes[0]
    if isinstance(values[0], Pattern):
        pattern = values[0]
    elif isinstance(first, ast.Constant) and isinstance(first.value, str):
        pattern = pattern_of(first.value)
    else:
        raise UnknownTypeError("the pattern is not written in the call")
    if name == "compile" and len(values) == 1:
        return pattern
    kinds = [value for value in values[1:] if isinstance(value, Type)]
    if len(kinds) < len(values) - 1:
        raise UnknownTypeError("a function is passed on to `re`")
    return pattern_method(here, name, pattern.groups, kinds, set())


def pattern_method(
    here: Following,
    name: str,
    groups: tuple[bool, ...],
    types_given: list[Type],
    keywords: set[str],
) -> Type:
    """Return the type of what a method of a pattern gives."""
    count = 2 if name == "sub" else 1
    kinds = [here.here(each) for each in types_given[:count]]
    whole = len(types_given) == count and all(isinstance(kind, String) for kind in kinds)
    if whole and not keywords:
        if name in SEARCHES:
            return Nullable(Match(groups))
        if name == "findall":
            several = len(groups) > 1
            return Array(tuple_of(*(String() for _ in groups)) if several else String())
        if name == "split" and not groups:
            return Array(String())
        if name == "sub":
            here.raised |= {re.error, IndexError}
            return String()
    raise UnknownTypeError(f"`{name}` of `re` with these arguments is not known")
