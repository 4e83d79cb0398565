"""Lists that a function changes, under all names that they may have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from dstream_compat.native.names import argument_names
from dstream_compat.native.types import Array, Never, Nullable, Type

from .following import Following
from .names import Names
from .results import elements
from .types import Mixed, UnknownTypeError, is_lazy, over, parts, united

ADDING = {"append": 1, "extend": 1, "insert": 2}
"""Methods that add something, and how many arguments they take."""
OTHERS = frozenset(("sort", "reverse", "clear", "pop", "remove"))
"""Methods that add nothing."""
PLAIN = frozenset(("len", "sum", "str", "int", "float", "bool", "any", "all", "round", "range"))
"""Functions whose result has none of their arguments in it."""


def appended(here: Following, call: ast.Call, names: Names) -> Names:
    """Return the names after a call whose value is not used: something is added to a list."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), keywords=[]) if (
            name in names and method in (*ADDING, *OTHERS)
        ):
            given = [here.type(each, names) for each in call.args]
            if method in OTHERS:
                here.raised |= {TypeError, ValueError, IndexError}
                return changed(here, name, Never(), names)
            if len(given) == ADDING[method]:
                new = elements(here.here(given[-1])) if method == "extend" else given[-1]
                return changed(here, name, new, names)
    raise UnknownTypeError(f"`{ast.unparse(call)[:40]}` has an effect besides the result")


def changed(here: Following, name: str, new: Type, names: Names) -> Names:
    """Return the names after a list has got an element: those that may have the list, too."""
    found, function = names.get(name), here.frames[-1].function
    owner = here.here(found) if isinstance(found, Type) else None
    lazy = [e for each in (owner, new) if each is not None for e in parts(each) if is_lazy(e)]
    if not isinstance(owner, Array | Never) or lazy or not isinstance(function, ast.FunctionDef):
        raise UnknownTypeError(f"a change of `{name}` is not known")
    same, holders = others(function, name)
    if isinstance(owner, Never) or isinstance(new, Never):
        holders = set()
    elif len(here.frames) > 2 and not holders.isdisjoint(argument_names(function.args)):
        raise UnknownTypeError(f"`{name}` may be an argument that is changed")
    here.changes = True
    made = dict(names)
    for each in holders:
        kind = names.get(each)
        if isinstance(kind, Type):
            made[each] = longer(kind, new, owner, each in same)
    return made


def longer(kind: Type, new: Type, owner: Type, itself: bool) -> Type:
    """Return a type with another element in the lists that may be the one that has got it.

    Parameters
    ----------
    kind : Type
        the type
    new : Type
        the type of the element
    owner : Type
        the type of the list
    itself : bool
        whether the value itself may be the list, and not only something in it
    """
    inside = itself or not isinstance(kind, Nullable | Mixed)
    made = over(kind, lambda each: longer(each, new, owner, inside))
    if not (itself and isinstance(kind, Array) and isinstance(made, Array)):
        return made
    assert isinstance(owner, Array)
    pair = kind.element, owner.element
    alike = Never() in pair or not isinstance(united(*pair), Mixed) or Mixed in map(type, pair)
    return replace(made, element=united(made.element, new)) if alike else made


def others(function: ast.FunctionDef, name: str) -> tuple[set[str], set[str]]:
    """Return the names that a list may have in a function, and those of what may have it in it."""
    same: list[tuple[set[str], set[str]]] = []
    inside: list[tuple[set[str], set[str]]] = []
    given: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pair = {each for target in targets for each in used(target)}, {*used(value)}
                same += [pair, pair[::-1]]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                same += [({*used(target)}, {*used(value)}), ({*used(value)}, {*used(target)})]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                inside.append(({*used(target)}, {*used(value)}))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner)), args=args):
                inside.append(({each for value in args for each in used(value)}, {owner}))
            case ast.AugAssign(target=target, value=value):
                inside.append(({*used(value)}, {*used(target)}))
            case ast.Yield(value=ast.expr() as value) | ast.YieldFrom(value=value):
                given |= {*used(value)}
    holders = _reached({name}, [*same, *inside])
    if holders & given:
        raise UnknownTypeError(f"the list `{name}` is given away, and changed")
    return _reached({name}, same), holders


def _reached(names: set[str], edges: list[tuple[set[str], set[str]]]) -> set[str]:
    found = names.union(*(end for start, end in edges if start & names))
    return found if found == names else _reached(found, edges)


def used(node: ast.AST) -> Iterator[str]:
    """Yield the names whose values may be in the value of an expression."""
    if isinstance(node, ast.Name):
        yield node.id
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN
    if not plain and not isinstance(node, ast.Compare):
        for child in ast.iter_child_nodes(node):
            yield from used(child)
