"""Decides whether a name that streams lack may belong to another class.

A value may be a stream in one call and an RDD in another, and programs ask before they use a name:
`hasattr(data, "collect")`, or `except AttributeError`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TypeGuard

from migrator.infer.values import (
    Atom,
    Function,
    LocalClass,
    LocalObj,
    Map,
    Method,
    Obj,
    Partial,
    Seq,
    Tuple,
    Value,
)
from migrator.source.child_nodes import enclosing_functions
from migrator.source.python import Unit
from migrator.spark import api
from migrator.spark.kinds import STREAMING, Kind
from migrator.spark.rdd_operations import DATAFRAME_WAY

# base classes that have no public names
_BARE = ("builtins.object", "abc.", "typing.")
# nothing there has the private names of contexts and streams but these themselves
_LIBRARIES = sys.stdlib_module_names | {"builtins", "pyspark"}
# a stream or context with one of these is a mock of unittest, which says so only in its use
_MOCK_NAMES = frozenset(
    {
        *("assert_any_await", "assert_any_call", "assert_awaited", "assert_awaited_once"),
        *("assert_awaited_once_with", "assert_awaited_with", "assert_called"),
        *("assert_called_once", "assert_called_once_with", "assert_called_with"),
        *("assert_has_awaits", "assert_has_calls", "assert_not_awaited", "assert_not_called"),
        *("attach_mock", "await_args", "await_args_list", "await_count", "call_args"),
        *("call_args_list", "call_count", "called", "configure_mock", "method_calls"),
        *("mock_add_spec", "mock_calls", "reset_mock", "return_value", "side_effect"),
    }
)
_CONTAINERS = (list, tuple, set, dict)
_PLAIN = (str, bytes, int, float, *_CONTAINERS)


def may_have(atom: Atom, name: str) -> bool:
    """Return whether something has an attribute, or nothing is known that speaks against it."""
    match atom:
        case Obj(kind) if kind in STREAMING:
            return name in api.METHODS[kind]
        case Obj(Kind.NONE) | Method() | Function() | Partial():
            return False
        case Obj(Kind.OTHER):
            # numbers and texts as a rule, which are no RDDs
            spark = name in api.RDD or name in DATAFRAME_WAY
            return not spark or any(hasattr(kind, name) for kind in _PLAIN)
        case Seq() | Tuple() | Map():
            return any(hasattr(kind, name) for kind in _CONTAINERS)
        case LocalObj(info) | LocalClass(info):
            related = [*info.ancestors(), *info.descendants()]
            bases = info.outer_bases()
            if bases is None or not all(path.startswith(_BARE) for path in bases):
                return True
            dynamic = (name, "__getattr__", "__getattribute__")
            return any(n in c.attrs for c in related for n in dynamic)
        case _:
            return True


def is_of_mock(name: str) -> bool:
    """Return whether a name is one that a mock adds to the class it stands for."""
    return name in _MOCK_NAMES


def may_be_foreign(value: Value) -> bool:
    """Return whether a value may be of an unknown class, which is not the program's own."""
    return value.unknown or not value.atoms or not all(_is_own(a) for a in value.atoms)


def _is_own(atom: Atom) -> bool:
    if not isinstance(atom, LocalObj | LocalClass):
        return False
    bases = atom.info.outer_bases()
    return bases is not None and all(path.partition(".")[0] in _LIBRARIES for path in bases)


class Guards:
    """Where a unit asks what a value is before it uses it."""

    def __init__(self, unit: Unit) -> None:
        self.where = enclosing_functions(unit.tree)
        self.asked: set[tuple[ast.AST, str]] = set()
        self.tried: set[ast.AST] = set()
        for node in unit.nodes():
            if isinstance(node, ast.Call):
                base = _asks_about(node)
                if base is not None and node in self.where:
                    self.asked.add((self.where[node], ast.unparse(base)))
            elif _goes_on(node):
                self.tried.update(n for part in node.body for n in ast.walk(part))

    def covers(self, node: ast.Attribute) -> bool:
        """Return whether an attribute is used only after its value has been asked about."""
        if node.value in self.tried:
            return True
        if not self.asked:
            return False
        text = ast.unparse(node.value)
        return any((owner, text) in self.asked for owner in self._around(node.value))

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.where:
            node = self.where[node]
            yield node


def _asks_about(call: ast.Call) -> ast.expr | None:
    """Return what a test is about: `hasattr(x, "name")`, or `getattr` with a default."""
    match call:
        case ast.Call(func=ast.Name(id="hasattr"), args=[base, _]):
            return base
        case ast.Call(func=ast.Name(id="getattr"), args=[base, _, _]):
            return base
        # tests of a name's class are part of inference
        case ast.Call(func=ast.Name(id="isinstance"), args=[base, classes]):
            return None if isinstance(base, ast.Name) or _is_stream_class(classes) else base
        case ast.Call(func=ast.Name(id="dir"), args=[base]):
            return base
    return None


def _is_stream_class(classes: ast.expr) -> bool:
    return not isinstance(classes, ast.Tuple) and ast.unparse(classes).endswith("DStream")


def _goes_on(node: ast.AST) -> TypeGuard[ast.Try | ast.With]:
    """Return whether a block may raise AttributeError and the program goes on behind it."""
    match node:
        case ast.Try(handlers=handlers):
            return any(_names_it(h.type) for h in handlers)
        case ast.With(items=items):
            calls = (item.context_expr for item in items)
            return any(
                isinstance(c, ast.Call)
                and ast.unparse(c.func).endswith("suppress")
                and any(_names_it(a) for a in c.args)
                for c in calls
            )
        case _:
            return False


def _names_it(node: ast.expr | None) -> bool:
    names = node.elts if isinstance(node, ast.Tuple) else [node]
    return any(isinstance(n, ast.Name) and n.id == "AttributeError" for n in names)
