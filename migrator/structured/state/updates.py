"""The functions of `updateStateByKey` that are running values, or leave an idle state as it is."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from dstream_compat.native.names import Known, Local
from dstream_compat.native.types import Array, Boolean, Double, Long, NoneType, String, Tuple, Type

from ..udfs.scope import JobNames
from ..udfs.types import UnknownTypeError
from .cases import STATE, VALUES, Best, Case, Items, Path, Sum, Symbol, one, path_of, symbol


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


def running_values(function: Local, names: JobNames) -> Running | None:
    """Return the running values of a function of
    `updateStateByKey`; None if it does more, or less.
    """
    try:
        start = Case(names)
        first = start.result(function, VALUES, NoneType())
        is_tuple = isinstance(first, Tuple)
        parts = tuple(map(_part, _fields(first)))
        tests_truth, has_float = False, start.has_float
        for old in [STATE] if is_tuple else [STATE, Sum()]:
            before = [symbol("state", (n,)) for n in range(len(parts))] if is_tuple else [old]
            for empty in (False, True):
                case = Case(names, empty)
                kind = case.result(function, VALUES, old)
                pairs = zip(parts, before, strict=True)
                expected = tuple(before if empty else (_next(*pair) for pair in pairs))
                tests_truth |= case.tests_truth
                has_float |= case.has_float
                same = empty and kind == old
                if not same and (is_tuple, expected) != (isinstance(kind, Tuple), _fields(kind)):
                    return None
    except UnknownTypeError:
        return None
    return Running(parts, is_tuple, tests_truth, has_float)


def _fields(kind: Type) -> tuple[Type, ...]:
    return kind.fields if isinstance(kind, Tuple) else (kind,)


def _part(kind: Type) -> RunningValue:
    match kind:
        case Sum(single=Best(function=function, parts=parts)) if len(parts) == 1:
            path = path_of(*parts)
            if path is not None:
                return RunningValue(function, path)
        case Sum(single=Symbol(name="count" | "sum" as name, path=path)):
            return RunningValue(name, path)
    raise UnknownTypeError("it is no running value")


def _next(part: RunningValue, before: Sum) -> Sum:
    """Return the running value after some values, from the one before."""
    if part.function in ("max", "min"):
        return one(Best(part.function, frozenset({before, symbol("value", part.path)})))
    return before.plus(symbol(part.function, part.path))


def keeps_idle_state(function: Local, kind: Type, names: JobNames) -> bool:
    """Return whether it is shown that a state stays as it is without new values.

    A result that is cut or removed by a test of itself stays as it is, because a state is such a
    result already.
    """
    olds: list[Type] = [STATE]
    if isinstance(kind, Long | Double | Boolean):
        olds.append(Sum())
    if isinstance(kind, Array):
        olds.append(Items(None))
    plain = replace(function, node=_without_last_step(function))
    for old in olds:
        case = Case(names, empty=True)
        try:
            idle_kind = case.result(plain, VALUES, old)
        except UnknownTypeError:
            return False
        same = idle_kind == old
        if isinstance(idle_kind, Tuple) and isinstance(kind, Tuple):
            fields = tuple(symbol("state", (place,)) for place in range(len(kind.fields)))
            same = idle_kind.fields == fields
        if not same or (case.tests_truth and isinstance(kind, String)):
            return False
    return True


def _without_last_step(function: Local) -> ast.Lambda | ast.FunctionDef:
    node = function.node
    if isinstance(node, ast.Lambda):
        return ast.Lambda(node.args, _inner(node.body, function))
    returns = [inner for inner in ast.walk(node) if isinstance(inner, ast.Return)]
    last = node.body[-1]
    if len(returns) != 1 or not isinstance(last, ast.Return) or last.value is None:
        return node
    body = [*node.body[:-1], ast.Return(_inner(last.value, function))]
    return ast.FunctionDef(node.name, node.args, body, [])


def _inner(result: ast.expr, function: Local) -> ast.expr:
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
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]):
            if name == "sorted" and function.environment.lookup(name) == Known(name):
                return inner
    return result


def _is_test_of(test: ast.expr, name: str) -> bool:
    """Return whether a test has a fixed result for a value:
    it compares the value with constants.
    """
    allowed = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Name, ast.Constant, ast.Subscript)
    context = (ast.cmpop, ast.boolop, ast.unaryop, ast.expr_context)
    return all(
        isinstance(node, context)
        or (isinstance(node, allowed) and (not isinstance(node, ast.Name) or node.id == name))
        for node in ast.walk(test)
    )
