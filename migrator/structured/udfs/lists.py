"""Lists that a function changes, under all names that they may have."""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native.names import argument_names
from dstream_compat.native.types import Array, Never, Nullable, Type

from .following import Following
from .names import Names
from .results import elements
from .types import Mixed, UnknownTypeError, is_lazy, map_children, parts, union_of

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
                return with_element(here, name, Never(), names)
            if len(given) == ADDING[method]:
                new = elements(here.here(given[-1])) if method == "extend" else given[-1]
                return with_element(here, name, new, names)
    raise UnknownTypeError(f"`{ast.unparse(call)[:40]}` has an effect besides the result")


def with_element(here: Following, name: str, new: Type, names: Names) -> Names:
    """Return the names after a list has got an element: those that may have the list, too."""
    found, function = names.get(name), here.frames[-1].function
    owner = here.here(found) if isinstance(found, Type) else None
    lazy = [e for each in (owner, new) if each is not None for e in parts(each) if is_lazy(e)]
    if not isinstance(owner, Array | Never) or lazy or not isinstance(function, ast.FunctionDef):
        raise UnknownTypeError(f"a change of `{name}` is not known")
    same, holders = sharing_names(function, name)
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
    made = map_children(kind, lambda each: longer(each, new, owner, inside))
    if not (itself and isinstance(kind, Array) and isinstance(made, Array)):
        return made
    assert isinstance(owner, Array)
    pair = kind.element, owner.element
    alike = Never() in pair or not isinstance(union_of(*pair), Mixed) or Mixed in map(type, pair)
    return replace(made, element=union_of(made.element, new)) if alike else made


def sharing_names(function: ast.FunctionDef, name: str) -> tuple[set[str], set[str]]:
    """Return the names that a list may have in a function, and those of what may have it in it."""
    same: list[tuple[set[str], set[str]]] = []
    inside: list[tuple[set[str], set[str]]] = []
    given: set[str] = set()
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
                given |= names_in(value)
    holders = _closure({name}, [*same, *inside])
    if holders & given:
        raise UnknownTypeError(f"the list `{name}` is given away, and changed")
    return _closure({name}, same), holders


def _closure(names: set[str], edges: list[tuple[set[str], set[str]]]) -> set[str]:
    found = names.union(*(end for start, end in edges if start & names))
    return found if found == names else _closure(found, edges)


def names_in(node: ast.AST) -> set[str]:
    """Return the names whose values may be in the value of an expression."""
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN
    if plain or isinstance(node, ast.Compare):
        return set()
    own = {node.id} if isinstance(node, ast.Name) else set()
    return own.union(*map(names_in, ast.iter_child_nodes(node)))
