"""Integers whose size the code says: constants, and multiples of lengths."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .branches import Names
from .kinds import INT, Kinds, constant_kinds

MOST = 1 << 10
"""A multiple of up to so many is a sum of so many."""
_LARGEST = 64
"""The largest exponent that is computed."""


def constant_of(node: ast.expr) -> int | None:
    """Return the integer of an expression of constants, None if it is no such."""
    match node:
        case ast.Constant(value=value):
            return value if type(value) is int else None
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            found = constant_of(inner)
            return None if found is None else -found
        case ast.BinOp(left=left, op=op, right=right):
            return _computed(constant_of(left), op, constant_of(right))
    return None


def _computed(left: int | None, op: ast.operator, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Pow() if 0 <= right <= _LARGEST:
            return int(left**right)
        case ast.LShift() if 0 <= right <= _LARGEST:
            return left << right
    return None


def size_of(node: ast.expr, names: Names, meaning: Callable[[ast.expr], object]) -> Kinds | None:
    """Return the kinds of an integer whose size is written: of a constant, or of a small multiple
    of a length or of a choice of constants.
    """
    number = constant_of(node)
    if number is not None:
        return constant_kinds(number)
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for factor, other in ((constant_of(left), right), (constant_of(right), left)):
                few = factor is not None and abs(factor) <= MOST
                if few and (_is_choice(other) or _is_length(other, names, meaning)):
                    return INT
    return None


def _is_length(node: ast.expr, names: Names, meaning: Callable[[ast.expr], object]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name) as function, args=[_]) if name not in names:
            return meaning(function) in ("len", "ord")
    return False


def _is_choice(node: ast.expr) -> bool:
    match node:
        case ast.IfExp(body=body, orelse=otherwise):
            return _is_choice(body) and _is_choice(otherwise)
    found = constant_of(node)
    return found is not None and abs(found) < 1 << 31
