"""The functions of `updateStateByKey` that are running sums, counts, maxima and minima."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .cases import Case
from .symbols import COUNT, Before, Best, Element, Old, Path, Sum, UnknownForm, total


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
                whole = Before() if old is Old.SOME else Sum()
                same = empty and found == whole
                if not same and found != (tuple(wanted) if is_tuple else wanted[0]):
                    return None
    except UnknownForm:
        return None
    return Running(parts, is_tuple, tests_truth, has_float)


def _part(found: Any) -> RunningValue:
    match found:
        case Best(function=function, parts=parts) if len(parts) == 1:
            (one,) = parts
            if isinstance(one, Element):
                return RunningValue(function, one.path)
        case Sum(terms=terms, number=0) if len(terms) == 1:
            ((term, times),) = terms
            if times == 1 and term == "count":
                return RunningValue("count")
            if times == 1 and isinstance(term, tuple):
                return RunningValue("sum", term[1])
    raise UnknownForm


def _next(part: RunningValue, old: Old, path: Path, empty: bool) -> Any:
    """Return the running value after some values, from the state before."""
    before: Any = Before(path) if old is Old.SOME else Sum()
    if empty:
        return before
    if part.function in ("max", "min"):
        return Best(part.function, frozenset({before, Element(part.path)}))
    start = Sum(frozenset({(before, 1)})) if isinstance(before, Before) else before
    return start.plus(COUNT if part.function == "count" else total(part.path))
