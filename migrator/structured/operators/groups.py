"""`groupByKey` with what is computed of each group: an aggregation."""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native.expressions import Call, Expression
from dstream_compat.native.reducers import MAX_ROWS, Reduction
from dstream_compat.native.types import Array, Boolean, Long, String, Tuple, Type, tuple_of

from ..builder.builder import Builder
from ..dataframes.frames import Frame, leaves_of
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator
from ..state.cases import VALUES, Best, Case, Items, Sum, Symbol, symbol
from ..udfs.names import Value
from ..udfs.scope import JobNames
from ..udfs.types import UnknownTypeError
from .aggregations import COUNT, aggregates_by_key, reduction_of, refuse_key

_REDUCES = {"sum": "lambda a, b: a + b", "max": "max", "min": "min"}
FORMS = ("count", "sum", "distinct", "sorted")


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


def aggregate_groups(builder: Builder, node: Node) -> Frame | None:
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
    builder.keeps(frame, node, key, *((value,) if form != "count" else ()))
    if form == "count":
        reduction = Reduction((COUNT,), COUNT.type)
    elif form in _REDUCES:
        function = ast.parse(_REDUCES[form], mode="eval").body
        reduction = reduction_of(builder, node, ast.copy_location(function, node.call), value)
    else:
        aggregate = _collect_values(node, form, value)
        reduction = Reduction((aggregate,), aggregate.type)
    names = frame.names[: len(leaves_of(key))]
    if form == "distinct":
        frame = frame.with_element(frame.element, (*names, "count"))
    return aggregates_by_key(builder, node, frame, key, reduction)


def _collect_values(node: Node, form: str, value: Expression) -> Expression:
    if len(leaves_of(value)) > 1 or not isinstance(value.type, Long | String | Boolean):
        raise NotExpressible("TYPE", "the values are no integers or texts", node.call)
    if form == "distinct":
        return Call(Long(1, MAX_ROWS), "count_distinct", (value,))
    kind = Array(value.type)
    return Call(kind, "array_sort", (Call(kind, "collect_list", (value,)),))


def _form(builder: Builder, node: Node) -> str | None:
    """Return what a function computes of the values of a group."""
    argument = node.call.args[0] if node.call.args else node.call.keywords[0].value
    case, key = _Group(JobNames(builder.module, node)), symbol("key")
    try:
        function = case.function(argument)
        if node.operator != "map":
            kind = case.result(function, VALUES)
        else:
            match case.result(function, tuple_of(key, VALUES)):
                case Tuple(fields=(first, kind)) if first == key:
                    pass
                case _:
                    return None
    except UnknownTypeError:
        return None
    match kind:
        case _ if case.has_float:
            # a sum of integers would become a float
            return None
        case Sum(single=Symbol(name=name, path=())):
            return name if name in FORMS else None
        case Sum(single=Best(function=name, parts=parts)) if parts == {VALUES.each}:
            return name
    return None


class _Group(Case):
    """A function of the values of a group, of which there is at least one."""

    def type_of_known_call(
        self, name: str, values: list[Value], keywords: dict[str, Value], nodes: list[ast.expr]
    ) -> Type:
        match name, values:
            case "list", [Items() as items]:
                return replace(items, lazy=False)
            case "sorted" | "set", [items] if items == VALUES and not keywords:
                return symbol(name)
            case "len", [items] if items == symbol("set"):
                return symbol("distinct")
        return super().type_of_known_call(name, values, keywords, nodes)
