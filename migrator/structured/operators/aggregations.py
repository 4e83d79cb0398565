"""Aggregations of a batch: `reduceByKey`, `count`, `combineByKey`, `groupByKey` and their kin.

Also whether functions of two values are sums, counts or extremes, and undo each other.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from dstream_compat.native import Code, Translator, key_refusal, reduction
from dstream_compat.native.expressions import (
    Call,
    Column,
    Expression,
    Literal,
    Operator,
    Struct,
    constant,
    number,
    struct,
)
from dstream_compat.native.reducers import MAX_ROWS, Reduction
from dstream_compat.native.refusals import Refusal, RefusedError
from dstream_compat.native.types import Array, Boolean, Long, String, Tuple, Type, tuple_of

from ..builder.builder import Builder
from ..dataframes.frames import (
    Aliased,
    Frame,
    leaves_of,
    over_columns,
    shape_of,
    share_parts,
    unique,
    variables_of,
    with_leaves,
)
from ..program.graph import Node, Stage
from ..refusals import NotExpressible, from_refusal
from ..registry import operator
from ..state.cases import VALUES, Best, Case, Items, Sum, Symbol, symbol
from ..udfs.names import JobNames, Value
from ..udfs.types import UnknownTypeError

COUNT = Call(Long(0, MAX_ROWS), "count", (number(1),))
DEFAULTS = {
    "count": "count",
    "sum": "total",
    "count_distinct": "distinct_values",
    "array_sort": "sorted_values",
}
BATCH = "in the function of a batch, where the batch is what is aggregated"


@operator("reduceByKey", Stage.BATCH, "func", "numPartitions=", reason=f"an aggregation {BATCH}")
def reduce_by_key(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    reduction = reduction_of(builder, node, builder.arguments(node)["func"], value)
    builder.keeps(frame, node, key, *inputs(reduction.aggregates))
    return aggregates_by_key(node, frame, key, reduction)


@operator("reduce", Stage.BATCH, "func", reason=f"an aggregation {BATCH}")
def reduce(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    reduction = reduction_of(builder, node, builder.arguments(node)["func"], frame.element)
    builder.keeps(frame, node, *inputs(reduction.aggregates))
    names = aggregate_names(reduction.aggregates, frame.names)
    pairs = zip(reduction.aggregates, names, strict=True)
    code = frame.code.call("agg", *(Aliased(*pair) for pair in pairs))
    # a batch without records has no result; `agg` gives a row all the same, and a count is 0 there
    if is_count(reduction.aggregates[:1]):
        some = Operator(Boolean(), ">", Column(Long(), names[0]), number(0))
        code = code.call("where", Aliased(some))
    else:
        code = code.call("dropna")
    return Frame(code, over_columns(record_of(reduction), names), names, names)


@operator("count", Stage.BATCH, reason=f"the number of rows {BATCH}")
def count(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    builder.keeps(frame, node)
    code = frame.code.call("groupBy").call("count")
    return Frame(code, Column(COUNT.type, "count"), ("count",), ("count",))


@operator("countByValue", Stage.BATCH, "numPartitions=", reason=f"the number of equal rows {BATCH}")
def count_by_value(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    refuse_key(frame.element, node)
    builder.keeps(frame, node, frame.element)
    reduction = Reduction((COUNT,), COUNT.type)
    return aggregates_by_key(node, frame, frame.element, reduction)


@operator("distinct", Stage.BATCH, "numPartitions=", reason=f"equal rows once, {BATCH}")
def distinct(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    refuse_key(frame.element, node)
    selected = frame.only_record_columns()
    return replace(selected, code=selected.code.call("distinct"))


def reduction_of(builder: Builder, node: Node, function: ast.expr, value: Expression) -> Reduction:
    """Return the aggregates of a reduce function."""
    result = reduction(builder.translator(node), function, value)
    if isinstance(result, Refusal):
        raise from_refusal(result, node.call)
    builder.accepted += [each for each in result.accepted if each not in builder.accepted]
    return result


def refuse_key(key: Expression, node: Node) -> None:
    """Refuse keys that Spark groups otherwise than Python."""
    refusal = key_refusal(key.type)
    if refusal is not None:
        raise from_refusal(refusal, node.call)


def aggregates_by_key(node: Node, frame: Frame, key: Expression, reduction: Reduction) -> Frame:
    """Return the aggregates of each key."""
    refuse_key(key, node)
    keys = leaves_of(key)
    value_names = frame.names[len(keys) :] or frame.names
    names = unique((*frame.names[: len(keys)], *aggregate_names(reduction.aggregates, value_names)))
    pairs = [*zip(keys, names, strict=False)]
    code, pairs, aggregates = share_parts(frame.code, pairs, reduction.aggregates)
    code = code.call("groupBy", *(Aliased(*pair) for pair in pairs))
    results = names[len(keys) :]
    if reduction.aggregates == (COUNT,) or (
        is_count(reduction.aggregates) and results == ("count",)
    ):
        code = code.call("count")
        names = (*names[: len(keys)], "count")
    else:
        named = zip(aggregates, results, strict=True)
        code = code.call("agg", *(Aliased(*pair) for pair in named))
    value = record_of(reduction)
    return Frame(code, over_columns(struct((key, value)), names), names, names)


def is_count(aggregates: tuple[Expression, ...]) -> bool:
    """Return whether the only aggregate is the number of rows."""
    return len(aggregates) == 1 and _is_count(aggregates[0])


def _is_count(aggregate: Expression) -> bool:
    return isinstance(aggregate, Call) and aggregate.function == "count"


def aggregate_names(aggregates: tuple[Expression, ...], values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of aggregates, from those of the values."""
    names = []
    for place, aggregate in enumerate(aggregates):
        assert isinstance(aggregate, Call)
        argument = aggregate.arguments[0]
        own = argument.name if isinstance(argument, Column) else values[place : place + 1]
        name = own if isinstance(own, str) else (own[0] if own else "")
        generic = name in ("", "value", "key") or name.startswith("field_")
        default = DEFAULTS.get(aggregate.function, aggregate.function)
        names.append("count" if _is_count(aggregate) else default if generic else name)
    return unique(tuple(names))


def inputs(aggregates: tuple[Expression, ...]) -> list[Expression]:
    """Return what aggregates are computed of."""
    return [
        part
        for aggregate in aggregates
        if isinstance(aggregate, Call)
        for part in aggregate.arguments
    ]


def record_of(reduction: Reduction) -> Expression:
    """Return a record of aggregates: a tuple if the values were tuples."""
    if isinstance(reduction.type, Tuple):
        return Struct(reduction.type, reduction.aggregates)
    return reduction.aggregates[0]


REASON = "an aggregation of each key: merging a value is merging what is made of it alone"


@operator(
    "combineByKey",
    Stage.BATCH,
    "createCombiner",
    "mergeValue",
    "mergeCombiners",
    "numPartitions=",
    reason=REASON,
)
def combine_by_key(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    translator = wide_translator(builder, node)

    def combiner_of(value: Expression) -> Expression:
        return _apply_function(translator, node, arguments["createCombiner"], value)

    return _combine_values(
        builder, node, combiner_of, arguments["mergeValue"], arguments["mergeCombiners"]
    )


@operator("foldByKey", Stage.BATCH, "zeroValue", "func", "numPartitions=", reason=REASON)
@operator(
    "aggregateByKey",
    Stage.BATCH,
    "zeroValue",
    "seqFunc",
    "combFunc",
    "numPartitions=",
    reason=REASON,
)
def fold_by_key(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    zero = arguments["zeroValue"]
    merge = arguments["func" if node.operator == "foldByKey" else "seqFunc"]
    both = arguments.get("combFunc", merge)
    try:
        start = constant(ast.literal_eval(zero))
    except (ValueError, TypeError):
        start = None
    if start is None:
        raise NotExpressible("COMBINER", "the zero value is not written here", zero)
    translator = wide_translator(builder, node)

    def combiner_of(value: Expression) -> Expression:
        return without_zero_terms(_apply_function(translator, node, merge, start, value))

    return _combine_values(builder, node, combiner_of, merge, both)


def _combine_values(
    builder: Builder, node: Node, created: Any, merge: ast.expr, both: ast.expr
) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    translator = wide_translator(builder, node)
    combiner = created(value)
    variable = variables_of(value, "v")
    start = variables_of(combiner, "a")
    left = _apply_function(translator, node, merge, start, variable)
    right = _apply_function(translator, node, both, start, created(variable))
    if shape_of(left) != shape_of(right):
        raise NotExpressible(
            "COMBINER", "the functions are no sums, counts or extremes of the values", node.call
        )
    reduction = reduction_of(builder, node, both, combiner)
    builder.keeps(frame, node, key, *inputs(reduction.aggregates))
    return aggregates_by_key(node, frame, key, reduction)


def wide_translator(builder: Builder, node: Node) -> Translator:
    """Return a translator that does not ask whether integers fit: it only compares functions."""
    own = builder.translator(node)
    return Translator(own.environment, own.accept | {Code.INT_RANGE}, own.json, own.assume)


def _apply_function(
    translator: Translator, node: Node, function: ast.expr, *arguments: Expression
) -> Expression:
    try:
        expression, _ = translator.apply(function, arguments, lambda here, result: result)
    except RefusedError as error:
        raise from_refusal(error.refusal, node.call) from None
    return expression


def without_zero_terms(value: Expression) -> Expression:
    """Return an expression without additions of 0."""
    return with_leaves(value, [_simplify(leaf) for leaf in leaves_of(value)])


def _simplify(value: Expression) -> Expression:
    match value:
        case Operator(symbol="+", left=Literal(value=0), right=Expression(type=Long()) as other):
            return other
        case Operator(symbol="+", left=Expression(type=Long()) as other, right=Literal(value=0)):
            return other
    return value


def is_inverse(translator: Translator, subtract: ast.expr, value: Expression) -> bool:
    """Return whether a function gives the differences of all parts of two values.

    Parameters
    ----------
    value : Expression
        a value, whose parts the reduce function of the window is known to sum up
    """
    first, second = variables_of(value, "a"), variables_of(value, "b")
    translation = translator.map(subtract, first, second)
    pairs = zip(leaves_of(first), leaves_of(second), strict=True)
    expected = with_leaves(value, [Operator(a.type, "-", a, b) for a, b in pairs])
    return not isinstance(translation, Refusal) and shape_of(translation.expression) == shape_of(
        expected
    )


def drops_zeros(
    translator: Translator, function: ast.expr, key: Expression, value: Expression
) -> bool:
    """Return whether a filter of pairs drops those with the value 0, of counts from 0 on."""
    pair = struct((variables_of(key, "key"), variables_of(value, "value")))
    condition, number = translator.filter(function, pair), pair.fields[1]
    zero, one = (Literal(value.type, each) for each in (0, 1))
    positive = {(">", number, zero), ("!=", number, zero), (">=", number, one), ("<", zero, number)}
    expected = [shape_of(Operator(Boolean(), *each)) for each in positive]
    return not isinstance(condition, Refusal) and shape_of(condition.expression) in expected


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
    return aggregates_by_key(node, frame, key, reduction)


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
