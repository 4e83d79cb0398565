"""The kinds of names in the branches of a function."""

from __future__ import annotations

import ast

from ..program.none_tests import tests_of_none
from .kinds import NONE, Kinds, merged

Names = dict[str, Kinds]


def narrowed(test: ast.expr, names: Names, holds: bool) -> Names:
    """Return the names where a test of None has held, or has not."""
    found = dict(names)
    for name, absent in tests_of_none(test, holds):
        if name in found:
            found[name] = found[name] & NONE if absent else found[name] - NONE
    return found


def joined(first: Names | None, second: Names | None) -> Names | None:
    """Return the names after one of two branches."""
    if first is None or second is None:
        return second if first is None else first
    shared = first.keys() & second.keys()
    return {name: merged(first[name], second[name]) for name in sorted(shared)}
