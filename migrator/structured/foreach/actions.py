"""Actions of the RDD of a batch, as actions of its DataFrame."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from dstream_compat.native.expressions import (
    Call,
    Cast,
    Column,
    Expression,
    Literal,
    Struct,
    number,
    walk,
)
from dstream_compat.native.raising import may_raise
from dstream_compat.native.reducers import MAX_ROWS
from dstream_compat.native.types import (
    LONG_MAX,
    LONG_MIN,
    Boolean,
    Double,
    Long,
    Nullable,
    String,
    Tuple,
    Type,
    words,
)
from migrator.source.spans import with_spans

from ..builder.builder import Builder
from ..dataframes.frames import Aliased, Chain, Frame, leaves_of
from ..dataframes.named_rows import has_names
from ..operators.aggregations import refuse_key
from ..operators.no_change import refuse_unordered, sort_columns
from ..program.arguments import bind_arguments
from ..program.bindings import loads, stores, uses
from ..program.graph import Node
from ..reading.offset_ranges import CODE, RANGES, source_of
from ..refusals import NotExpressible
from .guards import UNIQUE_KEYS, refuse_arrival, refuse_empty, refuse_picking
from .records import Uses, in_place, is_flat, record, records, refuse_hidden, refuse_values

if TYPE_CHECKING:
    from .body import Body

Given = dict[str, ast.expr]
Written = Callable[["Body", ast.Call, Node, Given], str]
ACTIONS: dict[str, tuple[tuple[str, ...], Written]] = {}
KEEPING_KEYS = frozenset(["mapValues", "filter", "sortBy", "sortByKey", "cache", "persist"])


def _action(name: str, *parameters: str) -> Callable[[Written], Written]:
    def register(write: Written) -> Written:
        ACTIONS[name] = (parameters, write)
        return write

    return register


def action(body: Body, method: str, call: ast.Call, owner: Node) -> str:
    """Return what takes the place of a call of an action."""
    parameters, write = ACTIONS[method]
    arguments = bind_arguments(call, parameters)
    if arguments is None:
        raise NotExpressible("ARGUMENTS", f"the arguments of {method} are not known", call)
    return write(body, call, owner, arguments)


def _method(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


@_action("isEmpty")
def _is_empty(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    return body.inline(body.builder.frame(owner).code.call("isEmpty"), call)


@_action("offsetRanges")
def _offset_ranges(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    source_of(owner.parents[0] if owner.operator == "rdd" else owner, call)
    rows = ranges(body.builder, body.builder.frame(owner).code, call)
    return body.inline(rows, call)


@_action("count")
def _count(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    frame = body.builder.frame(owner)
    frame.keeps(call)
    return body.inline(frame.code.call("count"), call)


def _frame_to_read(body: Body, call: ast.Call, owner: Node) -> Frame:
    frame = body.builder.frame(owner).only_record_columns()
    refuse_values(frame, call)
    refuse_hidden(body.module, body.function, frame, call)
    return frame


@_action("collect")
def _collect(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    refuse_picking(body, call, owner)
    frame = _frame_to_read(body, call, owner)
    return _list_of_records(body, call, frame, frame.code.call("collect"))


def _list_of_records(body: Body, call: ast.Call, frame: Frame, chain: Chain) -> str:
    """Return the list of records of a frame where it is used."""
    whole = body.uses.of(frame).needs_tuples(call)
    return in_place(body.module, call, records(frame, body.inline(chain, call), whole))


@_action("toLocalIterator", "prefetchPartitions=")
def _iterator(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    refuse_picking(body, call, owner)
    frame = _frame_to_read(body, call, owner)
    rows = body.inline(frame.code.call("toLocalIterator"), call)
    if is_flat(frame) and not body.uses.of(frame).needs_tuples(call):
        return rows
    if record(frame, "row") in ("row", "tuple(row)"):
        return rows if record(frame, "row") == "row" else f"map(tuple, {rows})"
    return f"({record(frame, 'row')} for row in {rows})"


@_action("take", "num")
def _take(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    number = body.module.source(arguments["num"])
    if _is_test(body, call):
        return body.inline(body.builder.frame(owner).code.call("take", number), call)
    refuse_arrival(body, call, owner)
    frame = _frame_to_read(body, call, owner)
    return _list_of_records(body, call, frame, frame.code.call("take", number))


@_action("first")
def _first(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    refuse_arrival(body, call, owner)
    frame = _frame_to_read(body, call, owner)
    row = body.inline(frame.code.call("first"), call)
    if isinstance(frame.element, Struct) and not is_flat(frame):
        raise NotExpressible("NESTED", "the record has tuples in it", call)
    # for a batch without records both raise: Python's ValueError, and an error about None
    if _is_caught(body, call):
        refuse_empty(body, call, owner, "`first`, whose ValueError is caught here,")
    return record(frame, row)


def _is_caught(body: Body, call: ast.Call) -> bool:
    """Return whether the error of an action is caught by its class."""
    child: ast.AST = call
    parent = body.module.parents.get(call)
    while parent is not None and child is not body.function.node:
        if isinstance(parent, ast.Try) and child in parent.body:
            for handler in parent.handlers:
                if ast.unparse(handler.type or ast.Name("Exception")) != "Exception":
                    return True
        child, parent = parent, body.module.parents.get(parent)
    return False


def _is_test(body: Body, call: ast.Call) -> bool:
    """Return whether a `take` only asks whether there are records."""
    parent = body.module.parents[call]
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
        return parent.func.id in ("len", "bool")
    return isinstance(parent, ast.UnaryOp) or (isinstance(parent, ast.If) and parent.test is call)


@_action("takeOrdered", "num", "key=")
@_action("top", "num", "key=")
def _take_in_order(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    frame, ascending = _frame_to_read(body, call, owner), _method(call) == "takeOrdered"
    columns = sort_columns(
        body.builder, owner, frame.element, arguments.get("key"), ascending, call
    )
    if {*leaves_of(frame.element)} - {part for c in columns for part in walk(c.expression)}:
        # records with equal keys are in the order in which they came
        refuse_arrival(body, call, owner)
    code = frame.code.call("orderBy", *columns).call("take", body.module.source(arguments["num"]))
    return _list_of_records(body, call, frame, code)


@_action("max")
@_action("min")
def _extreme(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    frame, name = body.builder.frame(owner), _method(call)
    if isinstance(frame.element, Struct):
        raise NotExpressible("TYPE", f"`{name}` of tuples", call)
    refuse_unordered(frame.element, call)
    refuse_empty(body, call, owner, f"`{name}`")
    value = Call(frame.element.type, name, (frame.element,))
    return _aggregate(body, call, frame, value, {"max": "largest", "min": "smallest"}[name])


@_action("sum")
def _sum(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    frame = body.builder.frame(owner)
    kind = frame.element.type
    if not isinstance(kind, Long):
        raise NotExpressible("TYPE", "`sum` is translated for integers only", call)
    fits = kind.lo * MAX_ROWS >= LONG_MIN and kind.hi * MAX_ROWS <= LONG_MAX
    if kind.bits != 32 and not fits:
        body.builder.differs("INT_RANGE", "the sum of a batch may not fit into 64 bits", call)
    total = Call(Long(), "sum", (frame.element,))
    value = Call(Long(), "coalesce", (total, number(0)))
    return _aggregate(body, call, frame, value, "total")


def _aggregate(body: Body, call: ast.Call, frame: Frame, value: Expression, name: str) -> str:
    code = frame.code.call("agg", Aliased(value)).call("first")
    return f"{body.inline(code, call, name)}[0]"


@_action("collectAsMap")
def _map(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    node = owner
    while node.operator in KEEPING_KEYS or node.operator == "rdd":
        (node,) = node.parents
    if node.operator not in UNIQUE_KEYS:
        body.builder.differs(
            "ARRIVAL_ORDER", "which value of a key comes last depends on the order of arrival", call
        )
    frame = _frame_to_read(body, call, owner)
    if not is_flat(frame) or len(frame.names) != 2:
        raise NotExpressible("NESTED", "`collectAsMap` of tuples in pairs", call)
    return f"dict({body.inline(frame.code.call('collect'), call)})"


@_action("countByKey")
@_action("countByValue")
def _count_by(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    frame = body.builder.frame(owner)
    by_key = _method(call) == "countByKey"
    key = body.builder.pair(frame, owner)[0] if by_key else frame.element
    if isinstance(key, Struct):
        raise NotExpressible("NESTED", "the records that are counted are tuples", call)
    parent = body.module.parents[call]
    if not (isinstance(parent, ast.Attribute) and parent.attr in ("items", "keys", "values")):
        raise NotExpressible(
            "DEFAULT_DICT", "the result has 0 for other keys, a dict has not", call
        )
    refuse_key(key, owner)
    frame.keeps(call, key)
    code = frame.code.call("groupBy", Aliased(key, frame.names[0])).call("count").call("collect")
    return f"dict({body.inline(code, call)})"


@_action("saveAsTextFile", "path", "compressionCodecClass=")
def _save(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    if "compressionCodecClass" in arguments:
        raise NotExpressible("CODEC", "the codec of the files is a Java class", call)
    frame = body.builder.frame(owner)
    if not isinstance(frame.element.type, String):
        frame = text_of_record(body.builder, frame, call)
    path = body.module.source(arguments["path"])
    return body.inline(frame.only_record_columns().code.attribute("write").call("text", path), call)


@_action("foreach", "f")
@_action("foreachPartition", "f")
def _each(body: Body, call: ast.Call, owner: Node, arguments: Given) -> str:
    frame, function = _frame_to_read(body, call, owner), arguments["f"]
    many = _method(call) == "foreachPartition"
    _refuse_tracked(body, function)
    row, source = record(frame, "row"), body.module.source(function)
    if row == "row" or (is_flat(frame) and _takes_rows(body, function, frame, many=many)):
        return body.inline(frame.code.call(_method(call), source), call)
    name, value, given_to = "row", row, row
    if many:
        name, value = "rows", f"({row} for row in rows)"
        given_to = value[1:-1]
        if row == "tuple(row)":
            value = given_to = "map(tuple, rows)"
    if isinstance(function, ast.Lambda):
        text = f"lambda {name}: {_body_with(body, function, value)}"
    else:
        text = f"lambda {name}: {source}({given_to})"
    return body.inline(frame.code.call(_method(call), text), call)


def _refuse_tracked(body: Body, function: ast.expr) -> None:
    function_found = body.module.function_given(body.function.block, function)[0]
    for node in ast.walk(function_found or function):
        if isinstance(node, ast.Name) and (node.id in body.names or node.id in body.outer):
            arguments = function_found.args.args if function_found else []
            if node.id not in [argument.arg for argument in arguments]:
                raise NotExpressible(
                    "RDD_USE", f"`{node.id}` is used in a function of records", node
                )


def _takes_rows(body: Body, function: ast.expr, frame: Frame, many: bool = False) -> bool:
    """Return whether a function uses its argument so that rows are as good as tuples."""
    function_found = body.module.function_given(body.function.block, function)[0]
    if function_found is None or len(function_found.args.args) != 1:
        return False
    name = function_found.args.args[0].arg
    records, read = Uses(body.module, function_found).of(frame), loads(function_found, name)
    if stores(function_found, name):
        return False
    if many:
        return not any(map(records.needs_tuples, read))
    return all(map(records.is_field, read))


def _body_with(body: Body, function: ast.Lambda, text: str) -> str:
    """Return the body of a lambda with another text for its argument."""
    (argument,) = function.args.args
    start, end = body.module.span(function.body)
    used = [(*body.module.span(node), text) for node in uses(function.body, argument.arg)]
    inner = [n for n in ast.walk(function.body) if isinstance(n, ast.arg)]
    if any(each.arg == argument.arg for each in inner):
        raise NotExpressible(
            "RDD_USE", f"the parameter `{argument.arg}` hides another name", function
        )
    return with_spans(body.module.text[start:end], used, start)


def ranges(builder: Builder, records: Chain, node: ast.AST) -> Chain:
    """Return the offsets of the records of a batch, as rows with the fields of offset ranges."""
    builder.differs(CODE, RANGES, node)
    functions = builder.printer.functions
    first = f'{functions}.min("offset").alias("fromOffset")'
    end = f'({functions}.max("offset") + 1).alias("untilOffset")'
    place = '"topic"', '"partition"'
    rows = records.call("groupBy", *place).call("agg", first, end)
    return rows.call("orderBy", *place).call("collect")


PARAMETERS = ("data", "schema=", "samplingRatio=", "verifySchema=")


def created_frame(body: Body, call: ast.Call, rdd: Node | None) -> str:
    """Return what takes the place of ``spark.createDataFrame(rdd, ...)``."""
    arguments = bind_arguments(call, PARAMETERS)
    if arguments is None or not arguments.keys() <= {"data", "schema"}:
        raise NotExpressible("ARGUMENTS", "the arguments of createDataFrame are not known", call)
    return _frame(body, call, arguments["data"], rdd, arguments.get("schema"))


def to_df(body: Body, call: ast.Call, owner: Node | None) -> str:
    """Return what takes the place of ``rdd.toDF(...)``."""
    arguments = bind_arguments(call, ("schema=", "sampleRatio="))
    if arguments is None or not arguments.keys() <= {"schema"}:
        raise NotExpressible("ARGUMENTS", "the arguments of toDF are not known", call)
    assert isinstance(call.func, ast.Attribute)
    return _frame(body, call, call.func.value, owner, arguments.get("schema"))


def _frame(
    body: Body, call: ast.Call, data: ast.expr, rdd: Node | None, schema: ast.expr | None
) -> str:
    builder = body.builder
    if rdd is None:
        if isinstance(data, ast.Name):
            data = body.rows[data.id]
        match data:
            case ast.Call(func=ast.Attribute(value=before), args=[ast.Lambda() as function]):
                rdd = body.value(before)
        assert rdd is not None
        if schema is not None:
            text = "createDataFrame is given both Row objects and a schema; give one of them"
            raise NotExpressible("SCHEMA", text, schema)
        frame = builder.frame(rdd)
        element, names = _row(body, rdd, frame, function)
    else:
        frame = builder.frame(rdd)
        frame_element = frame.element
        if not isinstance(frame_element, Struct):
            raise NotExpressible("SCHEMA", "createDataFrame takes tuples and rows only", call)
        element = frame_element
        names = _names(schema, element)
    refuse_values(frame, call)
    refuse_empty(body, call, rdd, "the schema of an RDD")
    columns = [_with_spark_type(field, call) for field in element.fields]
    if any(may_raise(column) for column in columns):
        raise NotExpressible(
            "EVALUATION", "a value may raise, and Spark evaluates only columns that are used", call
        )
    if [*columns] == [*leaves_of(frame.element)] and names == frame.names == frame.columns:
        return body.inline(frame.code, call)
    code = frame.code.call("select", *(Aliased(*p) for p in zip(columns, names, strict=True)))
    return body.inline(code, call, "frame", whole=True)


def _row(
    body: Body, rdd: Node, frame: Frame, function: ast.Lambda
) -> tuple[Struct, tuple[str, ...]]:
    """Return the values of ``lambda x: Row(name=value, ...)``."""
    row = function.body
    assert isinstance(row, ast.Call)
    names = tuple(keyword.arg for keyword in row.keywords if keyword.arg is not None)
    if row.args or len(names) != len(row.keywords) or not names:
        raise NotExpressible("SCHEMA", "the columns of the rows have no names here", row)
    values = ast.copy_location(ast.Tuple([k.value for k in row.keywords], ast.Load()), row)
    same = ast.copy_location(ast.Lambda(function.args, values), function)
    translation = body.builder.translator(rdd).map(same, frame.element)
    expression = body.builder.checked_translation(translation, rdd).expression
    frame.keeps(row, expression)
    assert isinstance(expression, Struct)
    return expression, names


def _names(schema: ast.expr | None, element: Struct) -> tuple[str, ...]:
    count = len(element.fields)
    if schema is None:
        if isinstance(element.type, Tuple) and element.type.maker:
            return element.type.names
        return tuple(f"_{place}" for place in range(1, count + 1))
    try:
        names = ast.literal_eval(schema)
    except (ValueError, TypeError):
        names = None
    if isinstance(names, list | tuple) and len(names) == count:
        return tuple(str(name) for name in names)
    raise NotExpressible("SCHEMA", "the schema is no list of names that is written here", schema)


def _with_spark_type(value: Expression, call: ast.Call) -> Expression:
    """Return a value with the type that Spark finds for Python's values."""
    match value.type:
        case Long(bits=32):
            return Cast(Long(), value, "long")
        case Long() | String() | Boolean() | Double():
            return value
    raise NotExpressible("SCHEMA", f"the schema of {words(value.type)} is not known", call)


def text_of_record(builder: Builder, frame: Frame, node: ast.AST) -> Frame:
    """Return a frame whose records are the texts of another one's.

    Raises
    ------
    NotExpressible
        if Python would write them otherwise
    """
    element = frame.element
    if isinstance(element.type, Long):
        cast = Cast(String(True), element, "string")
        return frame.with_element(cast, ("value",)).only_record_columns()
    if isinstance(element.type, Nullable) and isinstance(element.type.inner, String):
        text = Call(String(), "coalesce", (element, Literal(String(), "None")))
        return frame.with_element(text, ("value",)).only_record_columns()
    if has_names(element.type):
        raise NotExpressible("TEXT_OF_RECORD", "the text of named tuples", node)
    fields = element.fields if isinstance(element, Struct) else (element,)
    if any(isinstance(field, Struct) for field in fields):
        raise NotExpressible("NESTED", "the text of tuples in tuples", node)
    for field in fields:
        _refuse(field.type, node)
    frame = frame.only_record_columns()
    names = ", ".join(f'"{name}"' for name in frame.names)
    function = "lambda *values: str(values)" if isinstance(element, Struct) else "str"
    functions = builder.printer.functions
    code = frame.code.call("select", f'{functions}.udf({function})({names}).alias("value")')
    return Frame(code, Column(String(), "value"), ("value",), ("value",))


def _refuse(kind: Type, node: ast.AST) -> None:
    inner = kind.inner if isinstance(kind, Nullable) else kind
    if not isinstance(inner, Long | Double | String | Boolean):
        raise NotExpressible("TEXT_OF_RECORD", f"the text of {words(kind)} is not known", node)
