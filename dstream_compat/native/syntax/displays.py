"""Constants, names, tuples, lists, f-strings and lambdas."""

from __future__ import annotations

import ast

from ..arithmetic import concat
from ..expressions import Call, Expression, constant, storable, struct, text
from ..functions.formats import piece
from ..names import Local, defaults
from ..refusals import Code
from ..registry import syntax
from ..scope import Site, Value
from ..types import Array, Never, Type, join, words


@syntax(ast.Constant)
def constant_value(here: Site, node: ast.Constant) -> Value:
    """Return a constant of a type that columns have."""
    value = constant(node.value)
    if value is None and isinstance(node.value, str) and not storable(node.value):
        here.refuse(Code.SURROGATE, "the text has a surrogate")
    if value is None and isinstance(node.value, int):
        here.refuse(Code.INT_RANGE, "the number does not fit into 64 bits")
    if value is None:
        here.refuse(Code.TYPE, f"a constant of {type(node.value).__name__} is not translated")
    return value


@syntax(ast.Name)
def name(here: Site, node: ast.Name) -> Value:
    """Return what a name means here."""
    meaning = here.scope.lookup(node.id)
    if meaning is None:
        here.refuse(Code.UNKNOWN_NAME, "is no known constant, function or argument")
    return meaning


@syntax(ast.Tuple)
def tuple_(here: Site, node: ast.Tuple) -> Value:
    """Return a tuple as a struct."""
    if not node.elts or any(isinstance(each, ast.Starred) for each in node.elts):
        here.refuse(Code.SYNTAX, "an empty tuple, and `*` in a tuple, are not translated")
    return struct(tuple(map(here.scope.expression, node.elts)))


@syntax(ast.List)
def list_(here: Site, node: ast.List) -> Value:
    """Return a list as an array."""
    if any(isinstance(each, ast.Starred) for each in node.elts):
        here.refuse(Code.SYNTAX, "`*` in a list is not translated")
    elements = tuple(map(here.scope.expression, node.elts))
    kind: Type = Never()
    for each in elements:
        joined = join(kind, each.type)
        if joined is None:
            message = f"the list has {words(kind)} and {words(each.type)} in it"
            here.refuse(Code.MIXED_TYPES, message)
        kind = joined
    return Call(Array(kind), "array", elements)


@syntax(ast.JoinedStr)
def f_string(here: Site, node: ast.JoinedStr) -> Value:
    """Return an f-string as ``concat``."""
    return concat(*(_piece(here, each) for each in node.values))


def _piece(here: Site, node: ast.expr) -> Expression:
    match node:
        case ast.Constant(value=str(value)):
            return text(value)
        case ast.FormattedValue(value=inner, conversion=number, format_spec=spec):
            match spec:
                case None:
                    written = ""
                case ast.JoinedStr(values=[ast.Constant(value=str(found))]):
                    written = found
                case _:
                    here.refuse(Code.FORMAT, "a computed format is not translated")
            conversion = chr(number) if number > 0 else ""
            return piece(here, here.scope.expression(inner), written, conversion)
    here.refuse(Code.SYNTAX, "this part is not translated")


@syntax(ast.Lambda)
def lambda_(here: Site, node: ast.Lambda) -> Value:
    """Return a function that is called or passed on."""
    return Local(node, here.scope, defaults(node, here.scope))
