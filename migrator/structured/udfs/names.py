"""The names of a function on types: where None is excluded, around a lambda, and as labels."""

from __future__ import annotations

import ast

from dstream_compat.native.names import Environment, Known, Local, Meaning
from dstream_compat.native.types import Nullable, Type, present

from ..naming import is_telling

Function = Local | Known
Value = Type | Function
Names = dict[str, Value]


class Around:
    """The names around a lambda, as it finds them when it is called."""

    def __init__(self, names: Names, outer: Environment) -> None:
        self.names = names
        self.outer = outer

    def lookup(self, name: str) -> Meaning | None:
        """The meaning of a name that is not of the function."""
        return None if name in self.names else self.outer.lookup(name)


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
            left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=None)]
        ) if isinstance(op, ast.Is | ast.IsNot):
            if isinstance(op, ast.Is) != holds and isinstance(names.get(name), Nullable):
                return {**names, name: present(_type_of(names[name]))}
        case ast.Name(id=name) if holds and isinstance(names.get(name), Nullable):
            return {**names, name: present(_type_of(names[name]))}
    return dict(names)


def _type_of(value: Value) -> Type:
    assert isinstance(value, Type)
    return value


def label(node: ast.expr) -> str:
    """What the code calls a field of a tuple, empty if it says nothing."""
    match node:
        case ast.Name(id=name):
            found = name
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
    """A node and its parts, without functions inside."""
    found = [node]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            found.extend(own_nodes(child))
    return found
