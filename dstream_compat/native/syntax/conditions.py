"""`and`, `or`, `not`, and conditional expressions."""

from __future__ import annotations

import ast
from dataclasses import replace

from ..expressions import Expression, Literal, Struct, When
from ..raising import may_raise
from ..refusals import Code
from ..registry import syntax
from ..scope import Site, Value
from ..truth import both, either, negate, not_none, truth
from ..types import Boolean, Tuple, join, present, words


def condition(here: Site, node: ast.expr) -> Expression:
    """Return the truth of an expression, of which only the truth is used."""
    match node:
        case ast.BoolOp(op=operator, values=[first, *rest]):
            scope = here.scope
            result = scope.condition(first)
            is_and = isinstance(operator, ast.And)
            for each in rest:
                scope = scope.with_known_values(not_none(result, is_and))
                other = scope.condition(each)
                result = both(result, other) if is_and else either(result, other)
            return result
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return negate(here.scope.condition(operand))
    return truth(here, here.scope.expression(node))


@syntax(ast.BoolOp)
def and_or(here: Site, node: ast.BoolOp) -> Value:
    """Translate `and` and `or` as values: one of the operands, not its truth."""
    first, *rest = node.values
    value = here.scope.expression(first)
    is_and = isinstance(node.op, ast.And)
    test = truth(here.scope.at(first), value)
    scope = here.scope.with_known_values(not_none(test, is_and))
    remaining = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(node.op, rest), node)
    other = scope.expression(remaining)
    if isinstance(value.type, Boolean) and isinstance(other.type, Boolean):
        return both(value, other) if is_and else either(value, other)
    if is_and:
        return choice(here, test, other, value)
    return choice(here, test, replace(value, type=present(value.type)), other)


@syntax(ast.IfExp)
def conditional(here: Site, node: ast.IfExp) -> Value:
    """Return a conditional expression as ``when``."""
    test = here.scope.condition(node.test)
    value = here.scope.with_known_values(not_none(test, True)).expression(node.body)
    other = here.scope.with_known_values(not_none(test, False)).expression(node.orelse)
    return choice(here, test, value, other)


def choice(here: Site, test: Expression, value: Expression, other: Expression) -> Expression:
    """Return one of two values by a condition."""
    if isinstance(test, Literal):
        return value if test.value else other
    here.tells_like(value, other)
    here.tells_like(other, value)
    kind = join(value.type, other.type)
    if kind is None:
        message = f"the value is {words(value.type)} or {words(other.type)}"
        here.refuse(Code.MIXED_TYPES, message)
    if value == other:
        if may_raise(test):
            # Spark does not compute a condition that decides nothing.
            here.refuse(Code.EVALUATION, "the condition may raise, but both values are the same")
        return value
    if isinstance(kind, Tuple) and isinstance(value, Struct) and isinstance(other, Struct):
        pairs = zip(value.fields, other.fields, strict=True)
        fields = (a if a == b else choice(here, test, a, b) for a, b in pairs)
        return Struct(kind, tuple(fields))
    if isinstance(other, When):
        return When(kind, ((test, value), *other.branches), other.otherwise)
    return When(kind, ((test, value),), other)
