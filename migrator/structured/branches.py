"""The kinds of names in the branches of a function."""

from __future__ import annotations

import ast

from .kinds import NONE, Kinds, merged

Names = dict[str, Kinds]


def narrowed(test: ast.expr, names: Names, holds: bool) -> Names:
    """The names where a test of None has held, or has not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return narrowed(inner, names, not holds)
        case ast.BoolOp(op=ast.And(), values=parts) if holds:
            for part in parts:
                names = narrowed(part, names, True)
            return names
        case ast.BoolOp(op=ast.Or(), values=parts) if not holds:
            for part in parts:
                names = narrowed(part, names, False)
            return names
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op],
            comparators=[ast.Constant(value=None)],
        ) if name in names:
            absent = isinstance(op, ast.Is | ast.Eq) == holds
            left = names[name] & NONE if absent else names[name] - NONE
            return {**names, name: left}
        case ast.Name(id=name) if name in names and holds:
            return {**names, name: names[name] - NONE}
    return dict(names)


def joined(first: Names | None, second: Names | None) -> Names | None:
    """The names after one of two branches."""
    if first is None or second is None:
        return second if first is None else first
    shared = first.keys() & second.keys()
    return {name: merged(first[name], second[name]) for name in sorted(shared)}
