"""The names of a function on types: where None is excluded, around a lambda, and as labels."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from dstream_compat.native.names import (
    Environment,
    Getter,
    Known,
    Local,
    Meaning,
    argument_names,
    names_bound_once,
)
from dstream_compat.native.types import Never, NoneType, Nullable, Type, present

from ..dataframes.naming import is_telling
from ..program.none_tests import tests_of_none

Function = Local | Known | Getter
Value = Type | Function
Names = dict[str, Value]


@dataclass(frozen=True)
class Followed:
    """A function that is followed.

    Parameters
    ----------
    environment : Environment
        where it looks up names that are not its own
    own : mapping
        its own names: whether each one is bound once
    function : ast.FunctionDef or ast.Lambda, optional
        its source, if names are not looked up outside of functions
    """

    environment: Environment
    own: Mapping[str, bool] = field(default_factory=dict)
    function: ast.FunctionDef | ast.Lambda | None = None


@dataclass(frozen=True)
class OuterNames:
    """The names around a lambda, as it finds them when it is called.

    Parameters
    ----------
    names : dict
        those with a value, where the lambda is made
    frame : Followed
        the function around it
    """

    names: Names
    frame: Followed

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name that is not of the function."""
        hidden = name in self.names or name in self.frame.own
        return None if hidden else self.frame.environment.lookup(name)


def own_names(function: ast.FunctionDef | ast.Lambda) -> dict[str, bool]:
    """Return the names of a function: whether each one is bound once."""
    arguments = argument_names(function.args)
    body = function.body if isinstance(function, ast.FunctionDef) else []
    once = names_bound_once(body)
    own = {
        node.id: node.id in once and node.id not in arguments
        for statement in body
        for node in own_nodes(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return dict.fromkeys(arguments, True) | own


def narrow_names(test: ast.expr, names: Names, holds: bool) -> Names:
    """Return the names where a test of None has held, or has not."""
    names_found = dict(names)
    for name, absent in tests_of_none(test, holds):
        kind = names_found.get(name)
        if isinstance(kind, Type):
            may_be = isinstance(kind, Nullable | NoneType)
            there = Never() if isinstance(kind, NoneType) else present(kind)
            names_found[name] = (NoneType() if may_be else Never()) if absent else there
    return names_found


def label(node: ast.expr) -> str:
    """Return what the code calls a field of a tuple, empty if it says nothing."""
    match node:
        case ast.Name(id=name):
            label_text = name
        case ast.Call(func=ast.Attribute(attr="group"), args=[ast.Constant(value=str(name))]):
            label_text = name
        case ast.Call(func=ast.Attribute(attr="group")):
            return ""
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method != "get":
            return label(owner)
        case ast.Call(args=[first, *_]):
            return label(first)
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            label_text = key
        case _:
            return ""
    label_text = label_text.lower()
    return (
        label_text
        if is_telling(label_text) and not label_text.startswith("_") and label_text.isascii()
        else ""
    )


def own_nodes(node: ast.AST) -> list[ast.AST]:
    """Return a node and its parts, without functions inside."""
    nodes = [node]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            nodes.extend(own_nodes(child))
    return nodes
