"""Lists that a function fills: only those that no other name or value has."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from dstream_compat.native.types import Array

from .results import elements
from .types import UnknownTypeError, named, united

if TYPE_CHECKING:
    from .function_facts import Following
    from .names import Names

READING = frozenset(
    ("len", "sum", "min", "max", "sorted", "any", "all", "set", "list", "enumerate", "zip", "tuple")
)
FRESH = frozenset(("list", "sorted"))
METHODS = frozenset(("append", "extend", "insert"))


def appended(here: Following, function: ast.FunctionDef, call: ast.Call, names: Names) -> Names:
    """Return the names after a call whose value is not used: something is added to a list."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), keywords=[]) if (
            method in METHODS and name in names
        ):
            kind = names[name]
            if isinstance(kind, Array) and not kind.lazy:
                check_owned(function, name)
                given = [here.type(each, names) for each in call.args]
                if len(given) != (2 if method == "insert" else 1):
                    raise UnknownTypeError(f"`{method}` does not take these arguments")
                new = elements(here.here(given[-1])) if method == "extend" else given[-1]
                element = united(kind.element, new)
                if element is None:
                    raise UnknownTypeError(
                        f"the list `{name}` has {named(kind.element)} and {named(new)}"
                    )
                if isinstance(new, Array) and new.lazy:
                    raise UnknownTypeError("an iterator is kept in a list")
                return {**names, name: Array(element)}
    raise UnknownTypeError(f"`{ast.unparse(call)[:40]}` has an effect besides the result")


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
            if not fresh:
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
