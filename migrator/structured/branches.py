"""The kinds of names in the branches of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .kinds import NONE, Kinds, merged

Names = dict[str, Kinds]


def tests_of_none(test: ast.expr, holds: bool) -> Iterator[tuple[str, bool]]:
    """The names of which a test says whether they are None, where it has held or has not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from tests_of_none(inner, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) == holds:
            for part in parts:
                yield from tests_of_none(part, holds)
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op],
            comparators=[ast.Constant(value=None)],
        ):
            yield name, isinstance(op, ast.Is | ast.Eq) == holds
        case ast.Name(id=name) if holds:
            yield name, False


def narrowed(test: ast.expr, names: Names, holds: bool) -> Names:
    """The names where a test of None has held, or has not."""
    found = dict(names)
    for name, absent in tests_of_none(test, holds):
        if name in found:
            found[name] = found[name] & NONE if absent else found[name] - NONE
    return found


def joined(first: Names | None, second: Names | None) -> Names | None:
    """The names after one of two branches."""
    if first is None or second is None:
        return second if first is None else first
    shared = first.keys() & second.keys()
    return {name: merged(first[name], second[name]) for name in sorted(shared)}
