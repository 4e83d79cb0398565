"""Arguments that are computed where an output or a context is made, and used later in the result.

They get names, so that they are computed where they were.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.spark.kinds import STREAMS, Kind

from ..program.arguments import bind_arguments
from ..program.modules import SourceModule, calls_at_once
from ..program.values import MADE, holds, is_in_batch
from ..registry import OUTPUTS
from .edits import has_long_text, with_name
from .functions import makes_object

_NAMES = {"num": "number", "batchDuration": "interval"}
_LATE = frozenset(("num", "prefix", "batchDuration"))
_TAKING = {"filter", "flatMap", "flatMapValues", "foreachRDD", "map", "mapPartitions", "mapValues"}
_TAKING |= {"mapPartitionsWithIndex", "reduce", "reduceByKey", "transform", "updateStateByKey"}
"""Methods of streams that take functions."""
_SAME = frozenset(("partial", "itemgetter", "attrgetter", "methodcaller"))
"""Calls that give the same function wherever they are."""


def unfold_function(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which a function that a call gives has a name."""
    for statement in ast.walk(module.tree):
        if not isinstance(statement, ast.Expr | ast.Assign) or is_in_batch(module, statement):
            continue
        if any(isinstance(e, ast.If | ast.For | ast.While) for e in _around(module, statement)):
            continue
        calls = [e for e in calls_at_once(statement.value) if _is_foreign(module, e)]
        if not calls:
            continue
        first = min(calls, key=lambda each: (each.lineno, each.col_offset))
        taking = module.parents[first]
        if not isinstance(taking, ast.Call) or first not in taking.args:
            continue
        match taking.func:
            case ast.Attribute(value=owner, attr=method) if (
                method in _TAKING
                and holds(module.facts.values.get(owner), STREAMS)
                and _in_chain(module, taking, statement)
            ):
                name = module.free_name(*_names_for(first, method))
                yield _with_value_above(module, statement, first, name)
                return


def _around(module: SourceModule, statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what a statement is in, but for the test of the main script."""
    for outer in module.around(statement):
        if not (isinstance(outer, ast.If) and "__name__" in ast.unparse(outer.test)):
            yield outer


def _names_for(call: ast.Call, method: str) -> Iterator[str]:
    """Yield names for the function that a call gives: `parser` for `make_parser(...)`."""
    maker = getattr(call.func, "attr", getattr(call.func, "id", ""))
    base_name = maker.removeprefix("_")
    for verb in ("build_", "create_", "get_", "make_"):
        if base_name.startswith(verb) and base_name != verb:
            yield base_name.removeprefix(verb)
    yield "function"
    yield "output" if method == "foreachRDD" else f"{method}_function"


def _is_foreign(module: SourceModule, call: ast.Call) -> bool:
    """Return whether a call is none of streams and contexts, and gives no function by itself."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    is_same = name in _SAME and not makes_object(call)
    return not is_same and not holds(module.facts.values.get(call), MADE | {Kind.NONE})


def _in_chain(module: SourceModule, call: ast.Call, statement: ast.stmt) -> bool:
    """Return whether a statement is a call with others behind it."""
    node: ast.AST = call
    while isinstance(node, ast.Call | ast.Attribute):
        parent = module.parents[node]
        if parent is statement:
            return True
        if not (isinstance(parent, ast.Attribute) or getattr(parent, "func", None) is node):
            return False
        node = parent
    return False


def _with_value_above(
    module: SourceModule, statement: ast.stmt, value: ast.expr, name: str
) -> SourceModule | None:
    """Return a module in which a value is computed above its statement, if that has lines."""
    before = module.lines[statement.lineno - 1][: statement.col_offset]
    if before.strip() or has_long_text(ast.walk(value)):
        return None
    lines = module.lines_of(value)
    if lines[0] != lines[1] and module.comments_in(*lines):
        return None
    return with_name(module, statement, value, name)


def unfold_late(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which an argument of a later use has a name."""
    for call in ast.walk(module.tree):
        if not isinstance(call, ast.Call) or is_in_batch(module, call):
            continue
        statement = module.parents[call]
        if not isinstance(statement, ast.Expr | ast.Assign):
            continue
        for parameter, value in _arguments_of(module, call).items():
            if parameter in _LATE and not isinstance(value, ast.Constant | ast.Name):
                name = module.free_name(_NAMES.get(parameter, parameter))
                yield _with_value_above(module, statement, value, name)
                return


def _arguments_of(module: SourceModule, call: ast.Call) -> dict[str, ast.expr]:
    """Return the arguments of a call of an output, or of StreamingContext."""
    match call.func:
        case ast.Attribute(value=owner, attr=method) if method in OUTPUTS:
            if holds(module.facts.values.get(owner), STREAMS):
                return bind_arguments(call, OUTPUTS[method][0]) or {}
    if module.is_old(call.func, "StreamingContext"):
        return bind_arguments(call, ("sparkContext=", "batchDuration=", "jssc=")) or {}
    return {}
