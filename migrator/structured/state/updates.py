"""The functions of `updateStateByKey` that are running values, or leave an idle state as it is."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dstream_compat.native.types import Array, Boolean, Double, Long, String, Tuple, Type

from .cases import Best, Case, Items, Old, Path, Sum, Symbol, UnknownForm, one, path_of, symbol

Function = ast.Lambda | ast.FunctionDef
Knows = Callable[[ast.expr, str], bool]
"""Whether a name is the function of Python of this name."""


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


def running(function: Function, known: Knows) -> Running | None:
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


def keeps_idle_state(function: Function, kind: Type, known: Knows) -> bool:
    """Return whether it is shown that a state stays as it is without new values.

    A result that is cut or removed by a test of itself stays as it is, because a state is such a
    result already.
    """
    wholes: dict[Old, Any] = {Old.SOME: symbol("state")}
    if isinstance(kind, Long | Double | Boolean):
        wholes[Old.ZERO] = Sum()
    if isinstance(kind, Array):
        wholes[Old.EMPTY] = Items(None)
    plain = _without_last_step(function, known)
    truth_is_known = not isinstance(kind, String)
    fields = len(kind.fields) if isinstance(kind, Tuple) else 0
    for old, whole in wholes.items():
        case = Case(old, True, known)
        try:
            found = case.result(plain)
            if isinstance(found, tuple) and fields == len(found) and old is Old.SOME:
                whole = tuple(symbol("state", (place,)) for place in range(fields))
            if found != whole or (case.tests_truth and not truth_is_known):
                return False
        except UnknownForm:
            return False
    return True


def _without_last_step(function: Function, known: Knows) -> Function:
    if isinstance(function, ast.Lambda):
        return ast.Lambda(function.args, _inner(function.body, known))
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    last = function.body[-1]
    if len(returns) != 1 or not isinstance(last, ast.Return) or last.value is None:
        return function
    body = [*function.body[:-1], ast.Return(_inner(last.value, known))]
    return ast.FunctionDef(function.name, function.args, body, [])


def _inner(result: ast.expr, known: Knows) -> ast.expr:
    """Return a result without a step that does nothing when it is done again."""
    match result:
        case ast.IfExp(test=test, body=ast.Name(id=name) as body, orelse=ast.Constant(value=None)):
            if _is_test_of(test, name):
                return body
        case ast.IfExp(test=test, body=ast.Constant(value=None), orelse=ast.Name(id=name) as body):
            if _is_test_of(test, name):
                return body
        case ast.Subscript(value=inner, slice=ast.Slice(lower=lower, upper=None, step=None)):
            if isinstance(lower, ast.UnaryOp) and isinstance(lower.op, ast.USub):
                return inner
        case ast.Subscript(value=inner, slice=ast.Slice(lower=None, step=None)):
            return inner
        case ast.Call(func=function, args=[inner], keywords=[]) if known(function, "sorted"):
            return inner
    return result


def _is_test_of(test: ast.expr, name: str) -> bool:
    """Return whether a test has a fixed result for a value:
    it compares the value with constants.
    """
    allowed = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant, ast.Subscript)
    context = (ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context)
    return all(
        isinstance(each, context)
        or (isinstance(each, allowed) and (not isinstance(each, ast.Name) or each.id == name))
        for each in ast.walk(test)
    )
