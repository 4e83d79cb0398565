"""The names of a function on types: where None is excluded, around a lambda, and as labels."""

from __future__ import annotations

import ast

from dstream_compat.native.names import Environment, Known, Local, Meaning
from dstream_compat.native.types import Nullable, Type, present

from ..dataframes.naming import is_telling
from ..program.none_tests import tests_of_none

Function = Local | Known
Value = Type | Function
Names = dict[str, Value]


class OuterNames:
    """The names around a lambda, as it finds them when it is called."""

    def __init__(self, names: Names, outer: Environment) -> None:
        self.names = names
        self.outer = outer

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name that is not of the function."""
        return None if name in self.names else self.outer.lookup(name)


def narrowed(test: ast.expr, names: Names, holds: bool) -> Names:
    """Return the names where a test of None has held, or has not."""
    found = dict(names)
    for name, absent in tests_of_none(test, holds):
        kind = found.get(name)
        if isinstance(kind, Nullable) and not absent:
            found[name] = present(kind)
    return found


def label(node: ast.expr) -> str:
    """Return what the code calls a field of a tuple, empty if it says nothing."""
    match node:
        case ast.Name(id=name):
            found = name
        case ast.Call(func=ast.Attribute(attr="group"), args=[ast.Constant(value=str(name))]):
            found = name
        case ast.Call(func=ast.Attribute(attr="group")):
            return ""
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method != "get":
            return label(owner)
        case ast.Call(args=[first, *_]):
            return label(first)
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            found = key
        case _:
            return ""
    found = found.lower()
    return found if is_telling(found) and not found.startswith("_") and found.isascii() else ""


def own_nodes(node: ast.AST) -> list[ast.AST]:
    """Return a node and its parts, without functions inside."""
    found = [node]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            found.extend(own_nodes(child))
    return found
