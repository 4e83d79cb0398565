"""Expressions as columns of Spark. The only module of this package that imports pyspark."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from pyspark.sql import Column as SparkColumn
from pyspark.sql import functions as F

from .expressions import (
    Call,
    Cast,
    Column,
    Expression,
    Fold,
    GetField,
    GetItem,
    Literal,
    Method,
    Not,
    Operator,
    OverArray,
    Raise,
    Struct,
    Variable,
    When,
)
from .literals import OPTIONS, is_raw
from .printing import column_name
from .types import Tuple

_OPERATORS: Mapping[str, Any] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "&": operator.and_,
    "|": operator.or_,
}
Variables = Mapping[str, SparkColumn]


def to_column(node: Expression) -> SparkColumn:
    """Return the column that computes an expression. It needs ``spark.sql.ansi.enabled``."""
    return _column(node, {})


def _column(node: Expression, variables: Variables) -> SparkColumn:
    """Return a column for a node; variables are those of the functions around it."""
    match node:
        case Literal(value=value):
            return F.lit(value)
        case Column(name=name):
            return F.col(column_name(name))
        case Variable(name=name):
            return variables[name]
        case Call(function="negative", arguments=(operand,)):
            return -_column(operand, variables)
        case Call(function=name, arguments=arguments):
            return _call(name, arguments, variables)
        case Raise(message=message):
            return _call("raise_error", (message,), variables)
        case Method(name=name, object=owner, arguments=arguments):
            given = [_bare(each, variables) for each in arguments]
            found: SparkColumn = getattr(_column(owner, variables), name)(*given)
            return found
        case Operator(symbol=symbol, left=left, right=right):
            result: SparkColumn = _OPERATORS[symbol](
                _column(left, variables), _bare(right, variables)
            )
            return result
        case Not(operand=operand):
            return ~_column(operand, variables)
        case Cast(operand=operand, to=to):
            return _column(operand, variables).cast(to)
        case Struct(type=kind, fields=fields):
            assert isinstance(kind, Tuple)
            pairs = zip(fields, kind.names, strict=True)
            return F.struct(*(_column(each, variables).alias(name) for each, name in pairs))
        case GetField(object=owner, name=name):
            return _column(owner, variables)[name]
        case GetItem(object=owner, index=index):
            return _column(owner, variables)[_bare(index, variables)]
        case When():
            return _when(node, variables)
    return _over_array(node, variables)


def _bare(node: Expression, variables: Variables) -> Any:
    return node.value if isinstance(node, Literal) else _column(node, variables)


def _call(name: str, arguments: tuple[Expression, ...], variables: Variables) -> SparkColumn:
    given = [
        _bare(each, variables) if is_raw(name, place, each) else _column(each, variables)
        for place, each in enumerate(arguments)
    ]
    if name in OPTIONS:
        given.append(OPTIONS[name])
    found: SparkColumn = getattr(F, name)(*given)
    return found


def _when(node: When, variables: Variables) -> SparkColumn:
    whole: Any = F
    for test, value in node.branches:
        whole = whole.when(_column(test, variables), _bare(value, variables))
    found: SparkColumn = whole.otherwise(_bare(node.otherwise, variables))
    return found


def _over_array(node: Expression, variables: Variables) -> SparkColumn:
    match node:
        case OverArray(function=name, array=array, variable=variable, body=body):
            inner = body

            def of_element(element: SparkColumn) -> SparkColumn:
                return _column(inner, {**variables, variable.name: element})

            found: SparkColumn = getattr(F, name)(_column(array, variables), of_element)
            return found
        case Fold(array=array, initial=initial, variables=(total, element), body=body):
            step = body

            def of_two(a: SparkColumn, b: SparkColumn) -> SparkColumn:
                return _column(step, {**variables, total.name: a, element.name: b})

            return F.aggregate(_column(array, variables), _column(initial, variables), of_two)
    raise AssertionError(f"no column for {node!r}")
