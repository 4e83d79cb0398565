"""Whether a function of `updateStateByKey` leaves a state as it is where there are no values."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from dstream_compat.native.types import Array, Boolean, Double, Long, String, Tuple, Type

from .cases import Case
from .symbols import Items, Old, Sum, UnknownForm, symbol


def unchanged(
    function: ast.Lambda | ast.FunctionDef, kind: Type, known: Callable[[ast.expr, str], bool]
) -> bool:
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


def _without_last_step(
    function: ast.Lambda | ast.FunctionDef, known: Callable[[ast.expr, str], bool]
) -> ast.Lambda | ast.FunctionDef:
    if isinstance(function, ast.Lambda):
        return ast.Lambda(function.args, _inner(function.body, known))
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return)]
    last = function.body[-1]
    if len(returns) != 1 or not isinstance(last, ast.Return) or last.value is None:
        return function
    body = [*function.body[:-1], ast.Return(_inner(last.value, known))]
    return ast.FunctionDef(function.name, function.args, body, [])


def _inner(result: ast.expr, known: Callable[[ast.expr, str], bool]) -> ast.expr:
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
