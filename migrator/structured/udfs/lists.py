"""Lists that a function fills: only those that no other name or value has."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from dstream_compat.native.types import Array, Never, Nullable, Type

from .results import elements
from .types import Mixed, UnknownTypeError, is_lazy, over, parts, united

if TYPE_CHECKING:
    from .expressions import TypeInference
    from .names import Names

READING = frozenset(
    ("len", "sum", "min", "max", "sorted", "any", "all", "set", "list", "enumerate", "zip", "tuple")
)
FRESH = frozenset(("list", "sorted"))
ADDING = {"append": 1, "extend": 1, "insert": 2}
"""Methods that add something, and how many arguments they take."""
OTHERS = frozenset(("sort", "reverse", "clear", "pop", "remove"))
"""Methods that add nothing."""


def appended(here: TypeInference, call: ast.Call, names: Names) -> Names:
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


def changed(here: TypeInference, name: str, new: Type, names: Names) -> Names:
    """Return the names after a list has got an element.

    A list that may have a second name is changed under all names that it may have.
    """
    found, function = names.get(name), here.frames[-1].function
    kind = here.here(found) if isinstance(found, Type) else None
    lazy = [e for each in (kind, new) if each is not None for e in parts(each) if is_lazy(e)]
    if not isinstance(kind, Array | Never) or lazy or not isinstance(function, ast.FunctionDef):
        raise UnknownTypeError(f"a change of `{name}` is not known")
    found = longer(kind, new, kind)
    try:
        check_owned(function, name)
    except UnknownTypeError:
        # a list of a caller may be of another type there
        if here.pure or (len(here.frames) > 2 and not isinstance(new, Never)):
            raise
        here.changes = True
        others = ((each, k) for each, k in names.items() if isinstance(k, Type))
        return {**names, **{each: longer(k, new, kind) for each, k in others}}
    return {**names, name: found}


def longer(kind: Type, new: Type, owner: Type, inside: bool = False) -> Type:
    """Return a type with another element in the lists that may be the one that has got it."""
    inner = inside or not isinstance(kind, Nullable | Mixed)
    made = over(kind, lambda each: longer(each, new, owner, inner))
    if not (isinstance(kind, Array) and isinstance(made, Array) and isinstance(owner, Array)):
        return made
    alike = isinstance(united(kind.element, owner.element), Mixed)
    same = not inside or kind.element == Never() or not (owner.element == Never() or alike)
    return replace(made, element=united(made.element, new)) if same else made


def check_owned(function: ast.FunctionDef, name: str) -> None:
    """Refuse a list that another name or value may have, too."""
    parents = {c: node for node in ast.walk(function) for c in ast.iter_child_nodes(node)}
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.arg == name:
            raise UnknownTypeError(f"`{name}` is an argument that is changed")
        if not (isinstance(node, ast.Name) and node.id == name):
            continue
        parent = parents[node]
        if isinstance(node.ctx, ast.Store):
            fresh = isinstance(parent, ast.Assign | ast.AnnAssign) and _is_fresh(parent.value)
            if not (fresh or isinstance(parent, ast.AugAssign)):
                raise UnknownTypeError(f"`{name}` may refer to several lists")
        elif not _is_read(node, parent, parents):
            raise UnknownTypeError(f"the list `{name}` may have a second name")


def _is_fresh(node: ast.expr | None) -> bool:
    match node:
        case ast.List() | ast.ListComp():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in FRESH
        case ast.Call(func=ast.Attribute(attr="split" | "splitlines")):
            return True
    return False


def _is_read(node: ast.Name, parent: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Return whether a use of a list gives it no second name."""
    match parent:
        case ast.Attribute() | ast.Return() | ast.Compare() | ast.If() | ast.UnaryOp():
            return True
        case ast.For(iter=found) | ast.comprehension(iter=found):
            return found is node
        case ast.Subscript(value=found):
            return found is node
        case ast.Call(func=ast.Name(id=name)):
            return name in READING
        case ast.Call(func=ast.Attribute(attr="join" | "extend")):
            return True
        case ast.Tuple():
            return isinstance(parents[parent], ast.Return)
    return False
