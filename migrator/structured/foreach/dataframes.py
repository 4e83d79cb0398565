"""`createDataFrame` and `toDF` of the RDD of a batch: a `select`."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Cast, Expression, Struct
from dstream_compat.native.raising import may_raise
from dstream_compat.native.types import Boolean, Double, Long, String, Tuple, words

from ..dataframes.frames import Aliased, Frame, leaves_of
from ..program.arguments import bind_arguments
from ..program.graph import Node
from ..refusals import NotExpressible
from .edits import FunctionEdits
from .guards import refuse_empty
from .records import refuse_values

PARAMETERS = ("data", "schema=", "samplingRatio=", "verifySchema=")


def created_frame(body: FunctionEdits, call: ast.Call, rdd: Node | None) -> str:
    """Return what takes the place of ``spark.createDataFrame(rdd, ...)``."""
    arguments = bind_arguments(call, PARAMETERS)
    if arguments is None or not arguments.keys() <= {"data", "schema"}:
        raise NotExpressible("ARGUMENTS", "the arguments of createDataFrame are not known", call)
    return _frame(body, call, arguments["data"], rdd, arguments.get("schema"))


def to_df(body: FunctionEdits, call: ast.Call, owner: Node | None) -> str:
    """Return what takes the place of ``rdd.toDF(...)``."""
    arguments = bind_arguments(call, ("schema=", "sampleRatio="))
    if arguments is None or not arguments.keys() <= {"schema"}:
        raise NotExpressible("ARGUMENTS", "the arguments of toDF are not known", call)
    assert isinstance(call.func, ast.Attribute)
    return _frame(body, call, call.func.value, owner, arguments.get("schema"))


def _frame(
    body: FunctionEdits, call: ast.Call, data: ast.expr, rdd: Node | None, schema: ast.expr | None
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
            raise NotExpressible(
                "SCHEMA",
                "createDataFrame is given both Row objects and a schema; give one of them",
                schema,
            )
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
    body: FunctionEdits, rdd: Node, frame: Frame, function: ast.Lambda
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
