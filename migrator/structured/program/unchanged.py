"""Whether expressions that move have the value there that they have where they stand."""

from __future__ import annotations

import ast

from migrator.infer.scopes import bindings

from .modules import SourceModule

_EVALUATED = (
    *(ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""What may do something, or has another value each time."""
_CHANGES = frozenset(
    ("append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "sort", "update")
)
_FUNCTIONS = frozenset(("str", "int", "float", "len", "repr", "min", "max"))
_METHODS = frozenset(
    (
        *("format", "join", "replace", "split", "strip", "lower", "upper"),
        *("get", "getint", "getfloat", "getboolean", "getenv"),
        *("basename", "dirname", "abspath", "realpath"),
    )
)
"""What is known by its name to do nothing."""


def stays_the_same(module: SourceModule, node: ast.expr) -> bool:
    """Return whether an expression has the same value, and does nothing, wherever it stands."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name):
                stays = bindings_of(module, name) <= 1 and not is_changed(module, part)
            case ast.Attribute() | ast.Subscript():
                stays = not is_changed(module, part.value) and not is_changed(module, part)
            case ast.Call():
                stays = _does_nothing(module, part)
            case _:
                stays = not isinstance(part, _EVALUATED)
        if not stays:
            return False
    return True


def is_changed(module: SourceModule, owner: ast.expr) -> bool:
    """Return whether the module changes something in an object that an expression names."""
    dump = ast.dump(owner)
    return any(changes(node, dump) for node in ast.walk(module.tree))


def changes(node: ast.AST, owner: str) -> bool:
    """Return whether a node changes something in an object, which is known by its dump."""
    match node:
        case ast.Call(func=ast.Attribute(value=changed, attr=method)):
            return method in _CHANGES and ast.dump(changed) == owner
        case (
            ast.Attribute(value=changed, ctx=ast.Store() | ast.Del())
            | ast.Subscript(value=changed, ctx=ast.Store() | ast.Del())
        ):
            return ast.dump(changed) == owner
    return False


def bindings_of(module: SourceModule, name: str) -> int:
    """Return how often a name is bound in the module."""
    return sum([*bindings(node)].count(name) for node in ast.walk(module.tree))


def _does_nothing(module: SourceModule, call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name):
            return name in _FUNCTIONS and not bindings_of(module, name)
        case ast.Attribute(attr=method):
            # a queue gives its next record by `get()`
            return method in _METHODS and (method != "get" or bool(call.args))
    return False
