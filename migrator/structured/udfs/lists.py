"""The lists that a function changes, under all names that they may have."""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native.types import (
    Array,
    Never,
    Nullable,
    Type,
)

from .types import (
    Mixed,
    UnknownTypeError,
    map_children,
    union_of,
)

PLAIN = frozenset(("len", "sum", "str", "int", "float", "bool", "any", "all", "round", "range"))
"""Functions whose result has none of their arguments in it."""


def longer(kind: Type, new: Type, owner: Type, itself: bool) -> Type:
    """Return a type with another element in the lists that may be the one that has got it.

    Parameters
    ----------
    itself : bool
        whether the value itself may be the list, and not only something in it
    """
    inside = itself or not isinstance(kind, Nullable | Mixed)
    kind_after = map_children(kind, lambda each: longer(each, new, owner, inside))
    if not (itself and isinstance(kind, Array) and isinstance(kind_after, Array)):
        return kind_after
    assert isinstance(owner, Array)
    pair = kind.element, owner.element
    alike = Never() in pair or not isinstance(union_of(*pair), Mixed) or Mixed in map(type, pair)
    return replace(kind_after, element=union_of(kind_after.element, new)) if alike else kind_after


def sharing_names(function: ast.FunctionDef, name: str) -> tuple[set[str], set[str]]:
    """Return the names that a list may have in a function, and those of what may have it in it."""
    same: list[tuple[set[str], set[str]]] = []
    inside: list[tuple[set[str], set[str]]] = []
    names_given: set[str] = set()
    for node in ast.walk(function):
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                pair = names_in(target), names_in(value)
                same += [pair, pair[::-1]]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                inside.append((names_in(target), names_in(value)))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=args):
                inside.append((set().union(*map(names_in, args)), {owner}))
            case ast.AugAssign(target=target, value=value):
                inside.append((names_in(value), names_in(target)))
            case ast.Yield(value=ast.expr() as value) | ast.YieldFrom(value=value):
                names_given |= names_in(value)
    holders = _closure({name}, [*same, *inside])
    if holders & names_given:
        raise UnknownTypeError(f"the list `{name}` is given away, and changed")
    return _closure({name}, same), holders


def _closure(names: set[str], edges: list[tuple[set[str], set[str]]]) -> set[str]:
    names_reached = names.union(*(end for start, end in edges if start & names))
    return names_reached if names_reached == names else _closure(names_reached, edges)


def names_in(node: ast.AST) -> set[str]:
    """Return the names whose values may be in the value of an expression."""
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN
    if plain or isinstance(node, ast.Compare):
        return set()
    own = {node.id} if isinstance(node, ast.Name) else set()
    return own.union(*map(names_in, ast.iter_child_nodes(node)))
