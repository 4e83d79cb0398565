"""The functions of `updateStateByKey` that are running sums, counts, maxima and minima."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .cases import Case
from .symbols import Best, Old, Path, Sum, Symbol, UnknownForm, one, path_of, symbol


@dataclass(frozen=True)
class RunningValue:
    """A running value.

    Parameters
    ----------
    function : str
        ``sum``, ``count``, ``max`` or ``min``
    path : tuple of int
        the field of the values, empty for the values themselves
    """

    function: str
    path: Path = ()


@dataclass(frozen=True)
class Running:
    """A function of new values and a state that only goes on with running values.

    Parameters
    ----------
    parts : tuple of Part
        the fields of the state, or the state
    is_tuple : bool
        whether the state is a tuple
    tests_truth : bool
        whether the function takes a state of 0 for none
    has_float : bool
        whether a float is among its numbers, so that sums of integers become floats
    """

    parts: tuple[RunningValue, ...]
    is_tuple: bool
    tests_truth: bool
    has_float: bool


def running(
    function: ast.Lambda | ast.FunctionDef, known: Callable[[ast.expr, str], bool]
) -> Running | None:
    """Return the running values of a function of
    `updateStateByKey`; None if it does more, or less.
    """
    try:
        start = Case(Old.NONE, False, known)
        first = start.result(function)
        fields = first if isinstance(first, tuple) else (first,)
        parts = tuple(_part(each) for each in fields)
        is_tuple = isinstance(first, tuple)
        tests_truth, has_float = False, start.has_float
        olds = [Old.SOME] if is_tuple else [Old.SOME, Old.ZERO]
        for old in olds:
            for empty in (False, True):
                case = Case(old, empty, known)
                found = case.result(function)
                wanted = [
                    _next(part, old, (place,) if is_tuple else (), empty)
                    for place, part in enumerate(parts)
                ]
                tests_truth |= case.tests_truth
                has_float |= case.has_float
                whole = symbol("state") if old is Old.SOME else Sum()
                same = empty and found == whole
                if not same and found != (tuple(wanted) if is_tuple else wanted[0]):
                    return None
    except UnknownForm:
        return None
    return Running(parts, is_tuple, tests_truth, has_float)


def _part(found: Any) -> RunningValue:
    match found:
        case Sum(single=Best(function=function, parts=parts)) if len(parts) == 1:
            path = path_of(*parts)
            if path is not None:
                return RunningValue(function, path)
        case Sum(single=Symbol(name="count" | "sum" as name, path=path)):
            return RunningValue(name, path)
    raise UnknownForm


def _next(part: RunningValue, old: Old, path: Path, empty: bool) -> Sum:
    """Return the running value after some values, from the state before."""
    before = symbol("state", path) if old is Old.SOME else Sum()
    if empty:
        return before
    if part.function in ("max", "min"):
        return one(Best(part.function, frozenset({before, symbol("value", part.path)})))
    return before.plus(symbol(part.function, part.path))
