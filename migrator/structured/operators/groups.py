"""`groupByKey` with what is computed of each group: an aggregation."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Call, Expression
from dstream_compat.native.names import Known
from dstream_compat.native.reducers import MAX_ROWS, Reduction
from dstream_compat.native.types import Array, Boolean, Long, String

from ..builder.builder import Builder
from ..dataframes.frames import Frame, leaves_of
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator
from .aggregations import COUNT, grouped, reduced, refuse_key

BUILT_IN = ("len", "sum", "max", "min", "sorted")
_REDUCES = {
    "sum": "lambda a, b: a + b",
    "max": "lambda a, b: max(a, b)",
    "min": "lambda a, b: min(a, b)",
}
_FORMS = {
    "len": ("len(V)", "len(list(V))", "sum((1 for _ in V))"),
    "sum": ("sum(V)", "sum(list(V))"),
    "max": ("max(V)", "max(list(V))"),
    "min": ("min(V)", "min(list(V))"),
    "distinct": ("len(set(V))",),
    "sorted": ("sorted(V)", "sorted(list(V))"),
}


@operator(
    "groupByKey",
    Stage.BATCH,
    "numPartitions=",
    reason="an aggregation of each group, in the function of a batch",
)
def group_by_key(builder: Builder, node: Node) -> Frame:
    raise NotExpressible(
        "GROUPS",
        "the values of a key have no order in a DataFrame; only lengths, sums, extremes and "
        "sorted lists are known",
        node.call,
    )


def aggregated(builder: Builder, node: Node) -> Frame | None:
    """Return the frame of `mapValues` or `map` after `groupByKey`, None if it is something else."""
    group = node.parents[0]
    if group.operator != "groupByKey":
        return None
    form = _form(builder, node)
    if form is None:
        return group_by_key(builder, node)
    frame = builder.parent(group)
    key, value = builder.pair(frame, group)
    refuse_key(key, group)
    builder.keeps(frame, node, key, *((value,) if form != "len" else ()))
    if form == "len":
        made = Reduction((COUNT,), COUNT.type)
    elif form in _REDUCES:
        function = ast.parse(_REDUCES[form], mode="eval").body
        made = reduced(builder, node, ast.copy_location(function, node.call), value)
    else:
        aggregate = _collected(node, form, value)
        made = Reduction((aggregate,), aggregate.type)
    names = frame.names[: len(leaves_of(key))]
    if form == "distinct":
        frame = frame.with_element(frame.element, (*names, "count"))
    return grouped(builder, node, frame, key, made)


def _collected(node: Node, form: str, value: Expression) -> Expression:
    if len(leaves_of(value)) > 1 or not isinstance(value.type, Long | String | Boolean):
        raise NotExpressible("TYPE", "the values are no integers or texts", node.call)
    if form == "distinct":
        return Call(Long(1, MAX_ROWS), "count_distinct", (value,))
    kind = Array(value.type)
    return Call(kind, "array_sort", (Call(kind, "collect_list", (value,)),))


def _form(builder: Builder, node: Node) -> str | None:
    """Return what a function computes of the values of a group."""
    given = node.call.args[0] if node.call.args else node.call.keywords[0].value
    if isinstance(given, ast.Name) and node.operator == "mapValues" and given.id in BUILT_IN:
        names = builder.module.environment_in(node.block)
        return given.id if names.lookup(given.id) == Known(given.id) else None
    try:
        function = builder.function(node, given)
    except NotExpressible:
        return None
    body = _body(function)
    if body is None or len(function.args.args) != 1:
        return None
    (argument,) = function.args.args
    if node.operator == "map":
        match body:
            case ast.Tuple(elts=[first, second]) if ast.unparse(first) == f"{argument.arg}[0]":
                text = ast.unparse(second).replace(f"{argument.arg}[1]", "V")
            case _:
                return None
    else:
        text = ast.unparse(body).replace(f"({argument.arg})", "(V)")
        text = text.replace(f" in {argument.arg})", " in V)")
    return next((form for form, texts in _FORMS.items() if text in texts), None)


def _body(function: ast.Lambda | ast.FunctionDef) -> ast.expr | None:
    if isinstance(function, ast.Lambda):
        return function.body
    match function.body:
        case [ast.Return(value=value)]:
            return value
    return None
