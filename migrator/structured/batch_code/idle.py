"""What a job does in intervals without input, for which a query needs ticks."""

from __future__ import annotations

import ast

from migrator.infer.scopes import locals_of

from ..builder.builder import Builder
from ..program.arguments import bind_arguments
from ..program.graph import EITHER, MQTT, TICK_SOURCE, Node, Output
from ..program.modules import Block
from ..refusals import NotExpressible
from ..registry import OUTPUTS
from .functions import parameters
from .methods import SHUFFLES, WHOLE, WINDOWS, spec_arguments

_FROM_OTHERS = frozenset(("cogroup", "fullOuterJoin", "rightOuterJoin"))
_GIVES_NOTHING = (SHUFFLES - _FROM_OTHERS - {"countByValue"}) | frozenset(
    (
        *("cache", "coalesce", "distinct", "filter", "flatMap", "flatMapValues", "intersection"),
        *("keys", "map", "mapValues", "partitionBy", "persist", "repartition", "sample", "sortBy"),
        *("sortByKey", "subtract", "subtractByKey", "values", "zipWithIndex", "zipWithUniqueId"),
    )
)
"""The methods of RDDs that give no record if what they are called on has none."""


def acts_without_input(builder: Builder, output: Output) -> str:
    """Return the method for which an output is given in intervals without input; empty if none.

    Parameters
    ----------
    builder : Builder
        of the job
    output : Output
        the output
    """
    for node in output.node.path():
        if _gives_without_records(builder, node):
            return node.operator
    if output.method != "foreachRDD":
        return ""
    arguments = bind_arguments(output.call, OUTPUTS[output.method][0])
    assert arguments is not None
    return output.method if _acts(builder, output.block, arguments["func"], 1) else ""


def has_partitions(node: Node) -> bool:
    """Return whether the RDD of a DStream has partitions in an interval without input.

    Those of files and of receivers have none then, and neither has what is made of them alone.
    """
    if node.operator == MQTT:
        return False
    if node.operator == EITHER:
        first, other = map(has_partitions, node.parents)
        if first != other:
            text = f"the RDDs of `{node.name}` have partitions without input in one branch only"
            raise NotExpressible("BRANCH", text, node.call)
        return first
    if node.is_source:
        return node.operator in ("createDirectStream", TICK_SOURCE)
    if node.operator in WHOLE and node.operator != "window":
        return True
    return any(map(has_partitions, node.parents))


def _gives_without_records(builder: Builder, node: Node) -> bool:
    """Return whether a stream may have records though what it is made of has none."""
    match node.operator:
        case "updateStateByKey":
            return True
        case "count" | "glom" | "mapPartitions" | "mapPartitionsWithIndex":
            return has_partitions(node.parents[0])
        case "mapWithState":
            return "timeout" in spec_arguments(builder.module, node)
        case "transform" | "transformWith":
            function = (node.call.args or [keyword.value for keyword in node.call.keywords])[0]
            return _acts(builder, node.block, function, len(node.parents))
    return node.operator in WINDOWS


def _acts(builder: Builder, block: Block, expression: ast.expr, rdds: int) -> bool:
    """Return whether a function may do or give something for RDDs without records."""
    try:
        function = builder.function(block, expression)
    except NotExpressible:
        return True
    names = parameters(function)[-rdds:]
    if isinstance(function, ast.Lambda):
        return not _is_idle(function.body, names)
    own = locals_of(function)
    for statement in function.body:
        match statement:
            case ast.Expr(value=value) | ast.Return(value=value) if value is not None:
                if not _is_idle(value, names):
                    return True
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in own and _is_empty(
                value, names
            ):
                names = [*names, name]
            case ast.If(orelse=[], test=test) if _is_filled(test, names, True):
                pass
            case ast.If(test=test, body=[*before, ast.Return(value=value)]) if _is_filled(
                test, names, False
            ):
                return bool(before) or not (value is None or _is_idle(value, names))
            case ast.Global() | ast.Pass():
                pass
            case _:
                return True
    return False


def _is_idle(node: ast.expr, names: list[str]) -> bool:
    """Return whether an expression does nothing if RDDs have no records."""
    match node:
        case ast.Constant():
            return True
        case ast.Call(func=ast.Attribute(attr="foreach", value=owner)):
            return _is_empty(owner, names)
    return _is_empty(node, names)


def _is_empty(node: ast.expr, names: list[str]) -> bool:
    """Return whether an expression is an RDD that has no records then."""
    match node:
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Attribute(attr="union", value=owner), args=[other]):
            return _is_empty(owner, names) and _is_empty(other, names)
        case ast.Call(func=ast.Attribute(attr=method, value=owner)) if method in _GIVES_NOTHING:
            operands = [*node.args, *(keyword.value for keyword in node.keywords)]
            return _is_empty(owner, names) and not any(map(_calls, operands))
    return False


def _calls(node: ast.expr) -> bool:
    """Return whether an argument calls something itself."""
    parts = () if isinstance(node, ast.Lambda) else ast.walk(node)
    return any(isinstance(part, ast.Call) for part in parts)


def _is_filled(test: ast.expr, names: list[str], filled: bool) -> bool:
    """Return whether a test holds only if an RDD has records, or if it has none."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_filled(inner, names, not filled)
        case ast.Call(func=ast.Attribute(attr="isEmpty", value=rdd)):
            return not filled and _is_empty(rdd, names)
        case ast.Call(func=ast.Attribute(attr="count" | "take" | "collect", value=rdd)):
            return filled and _is_empty(rdd, names)
        case ast.Call(func=ast.Name(id="len"), args=[inner]):
            return filled and _is_filled(inner, names, filled)
        case ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=0)]):
            operators = (ast.Gt, ast.NotEq) if filled else (ast.Eq, ast.LtE)
            return isinstance(op, operators) and _is_filled(left, names, True)
        case ast.BoolOp(op=ast.And(), values=[first, *others]) if filled:
            # what stands before is computed in any case
            plain = not any(isinstance(node, ast.Call | ast.NamedExpr) for node in ast.walk(first))
            return _is_filled(first, names, True) or (
                plain and any(_is_filled(other, names, True) for other in others)
            )
    return False
