"""The functions that a job gives to its streams, and what they are called with."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from dstream_compat.native.expressions import Expression, Struct
from dstream_compat.native.names import Known, Local, defaults
from dstream_compat.native.types import (
    Array,
    Boolean,
    CaseMapped,
    Dictionary,
    Double,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    tuple_of,
    words,
)

from ..program.graph import Node
from .expressions import TypeInference
from .types import UnknownTypeError, ints, map_children

if TYPE_CHECKING:
    from ..builder.builder import Builder


def function_of(
    here: TypeInference, builder: Builder, node: Node, given: ast.expr
) -> Local | Known:
    """Return the function that an argument of a node is, with the meaning of its names."""
    environment = builder.module.environment_in(node.block)
    if isinstance(given, ast.Lambda):
        return Local(given, environment, defaults(given, environment))
    if isinstance(given, ast.Name | ast.Attribute):
        found = here.value(given, {})
        if isinstance(found, Local | Known):
            return found
    raise UnknownTypeError("the function is not written in this file")


def argument(value: Expression, rows: bool) -> Type:
    """Return the type of what Python is given for an expression.

    Parameters
    ----------
    value : Expression
        the expression
    rows : bool
        whether tuples of columns are rows, as those that are columns are
    """
    if isinstance(value, Struct):
        kind = tuple_of(*(argument(each, rows) for each in value.fields))
        return replace(kind, attributes=rows)
    return python_type(value.type)


def python_type(kind: Type) -> Type:
    """Return the type of what Python is given for a column."""
    match kind:
        case CaseMapped():
            return String()
        case Nullable() | Array(lazy=False) | Dictionary():
            return map_children(kind, python_type)
        case Tuple():
            return map_children(replace(kind, attributes=True), python_type)
        case Long(lo=lo, hi=hi, bits=bits):
            return ints(lo, hi, bits)
        case Boolean() | Double() | String() | NoneType():
            return kind
    raise UnknownTypeError(f"its records are {words(kind)}")
