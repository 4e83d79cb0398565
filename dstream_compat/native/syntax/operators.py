"""Operators, comparisons, items and attributes."""

from __future__ import annotations

import ast

from ..access import chosen_field, item, slice_of
from ..arithmetic import arithmetic, negative
from ..comparisons import comparison, equal, is_none, membership
from ..expressions import Call, Expression, Literal, Method, Operator, struct
from ..functions.case import is_ascii
from ..functions.formats import percent
from ..makers import ROW
from ..names import Choices, Known, choices
from ..refusals import Code
from ..registry import syntax
from ..scope import Scope, Site, Value
from ..truth import both, negate, not_none
from ..types import Boolean, CaseMapped, Date, String, Timestamp, Tuple, int_of, present

METHODS_OF_ROWS = frozenset(("asDict", "count", "index"))
_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISONS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


PARTS = {
    "year": (1, 9999),
    "month": (1, 12),
    "day": (1, 31),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}
"""The parts of times and dates, and their bounds; Spark's functions have the same names."""


@syntax(ast.BinOp)
def binary(here: Site, node: ast.BinOp) -> Value:
    """Arithmetic, and `%` of a template."""
    symbol = _OPERATORS.get(type(node.op))
    if symbol is None:
        here.refuse(Code.SYNTAX, "this operator is not translated")
    left, right = here.scope.expression(node.left), here.scope.expression(node.right)
    if symbol == "%" and isinstance(left.type, String):
        return percent(here, here.text(left), right)
    return arithmetic(here, symbol, left, right)


@syntax(ast.UnaryOp)
def unary(here: Site, node: ast.UnaryOp) -> Value:
    """Translate `not` and `-`."""
    match node.op:
        case ast.Not():
            return negate(here.scope.condition(node.operand))
        case ast.USub():
            return negative(here, here.scope.expression(node.operand))
    here.refuse(Code.SYNTAX, "this operator is not translated")


@syntax(ast.Compare)
def compare(here: Site, node: ast.Compare) -> Value:
    """Translate comparisons, also in a chain."""
    scope = here.scope
    left = scope.value(node.left)
    result: Expression | None = None
    for operator, right_node in zip(node.ops, node.comparators, strict=True):
        if result is not None:
            scope = scope.with_known_values(not_none(result))
        right = _right(scope, operator, right_node)
        each = _comparison(here, operator, left, right)
        result = each if result is None else both(result, each)
        left = right
    assert result is not None
    return result


def _right(scope: Scope, operator: ast.cmpop, node: ast.expr) -> Value:
    """Return the right side of a comparison; after `in`, a collection of constants is no array."""
    collection = isinstance(node, ast.List | ast.Set | ast.Tuple)
    if not (isinstance(operator, ast.In | ast.NotIn) and collection):
        return scope.value(node)
    try:
        values = choices(ast.literal_eval(node))
    except (ValueError, TypeError):
        values = None
    if values is not None:
        return values
    assert isinstance(node, ast.List | ast.Set | ast.Tuple)
    return struct(tuple(map(scope.expression, node.elts)))


def _comparison(here: Site, operator: ast.cmpop, left: Value, right: Value) -> Expression:
    match operator:
        case ast.In():
            return _member(here, left, right)
        case ast.NotIn():
            return negate(_member(here, left, right))
        case ast.Is() | ast.IsNot() if isinstance(right, Literal):
            result = _identical(here, here.expression(left), right)
            return result if isinstance(operator, ast.Is) else negate(result)
        case ast.Eq() | ast.NotEq() if _ascii_search(left, right):
            assert isinstance(left, Expression) and isinstance(right, Expression)
            return Operator(Boolean(), _COMPARISONS[type(operator)], left, right)
    symbol = _COMPARISONS.get(type(operator))
    if symbol is None:
        here.refuse(Code.SYNTAX, "`is` compares identities, which columns do not have")
    return comparison(here, symbol, here.expression(left), here.expression(right))


def _identical(here: Site, left: Expression, right: Literal) -> Expression:
    """Translate `left is right`, of the constants of which there is only one."""
    if right.value is None:
        return is_none(here, left)
    if isinstance(right.value, bool) and isinstance(present(left.type), Boolean):
        return equal(here, left, right)
    here.refuse(Code.SYNTAX, "`is` compares identities, which columns do not have")


def _member(here: Site, value: Value, container: Value) -> Expression:
    """Translate `value in container`, also of texts in upper or lower case."""
    if isinstance(container, Expression) and _ascii_search(container, value):
        assert isinstance(value, Expression)
        return Method(Boolean(), "contains", container, (value,))
    searched = container.values if isinstance(container, Choices) else ()
    if searched and all(_ascii_search(value, each) for each in searched):
        assert isinstance(value, Expression)
        return Method(Boolean(), "isin", value, searched)
    return membership(here, value, container)


def _ascii_search(text: Value, searched: Value) -> bool:
    """Return whether a text in upper or lower case is
    searched for a constant of ASCII characters.
    """
    mapped = isinstance(text, Expression) and isinstance(text.type, CaseMapped)
    return mapped and is_ascii(searched)


@syntax(ast.Subscript)
def subscript(here: Site, node: ast.Subscript) -> Value:
    """Return an item or a slice."""
    value = here.scope.expression(node.value)
    if not isinstance(node.slice, ast.Slice):
        return item(here, value, here.scope.expression(node.slice))
    if node.slice.step is not None:
        here.refuse(Code.ARGUMENTS, "a slice with a step is not translated")
    return slice_of(here, value, _end(here, node.slice.lower), _end(here, node.slice.upper))


def _end(here: Site, node: ast.expr | None) -> int | None:
    if node is None:
        return None
    end = here.constant(here.scope.expression(node), int)
    assert isinstance(end, int)
    return end


@syntax(ast.Attribute)
def attribute(here: Site, node: ast.Attribute) -> Value:
    """Return a name of a module, or a field of a row."""
    value = here.scope.value(node.value)
    if isinstance(value, Known):
        return Known(f"{value.name}.{node.attr}")
    if isinstance(value, Expression):
        kind = value.type
        if isinstance(kind, Tuple) and kind.attributes and node.attr in kind.names:
            if kind.maker in ("", ROW) and node.attr in METHODS_OF_ROWS:
                here.refuse(Code.TYPE, f"{node.attr} is a method of rows")
            return chosen_field(here, value, kind.names.index(node.attr))
        of_time = isinstance(kind, Timestamp) and node.attr in PARTS
        of_date = isinstance(kind, Date) and node.attr in ("year", "month", "day")
        if of_time or of_date:
            return Call(int_of(*PARTS[node.attr]), node.attr, (value,))
    here.refuse(Code.TYPE, f"the attribute {node.attr} is not translated")
