"""What names mean in functions of the user: their own, those around them, and those of the job."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from dstream_compat.native.expressions import Expression, constant
from dstream_compat.native.names import (
    KNOWN_MODULES,
    Choices,
    Environment,
    Getter,
    Known,
    Local,
    Meaning,
    argument_names,
    bound_names,
    names_bound_once,
)
from dstream_compat.native.types import (
    Dictionary,
    Never,
    NoneType,
    Nullable,
    Type,
    present,
)
from migrator.infer.scopes import locals_of

from ..program.bindings import loads, own_nodes
from ..program.graph import Node
from ..program.modules import SourceModule
from ..program.none_tests import tests_of_none
from .patterns import pattern_of
from .types import (
    SetOf,
    UnknownTypeError,
    union_of,
)

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


READ_BY = frozenset(("get", "items", "keys", "values"))


class JobNames:
    """The names of a job around the functions of a node."""

    def __init__(self, module: SourceModule, node: Node) -> None:
        self.module = module
        self.node = node

    def lookup(self, name: str, environment: Environment) -> Value:
        """Return the type of a name, or the function that it is.

        Raises
        ------
        UnknownTypeError
            if it may have another value when the workers get the function
        """
        value = environment.lookup(name)
        self._check_place(name)
        match value:
            case Expression():
                return value.type
            case Known() | Local() | Getter():
                return value
            case Choices(values=values):
                return SetOf(union_of(*(value.type for value in values)))
        constant_found = self._read_only(name)
        if constant_found is not None:
            return constant_found
        path = self.module.paths.get(name)
        if path is not None and path.partition(".")[0] not in KNOWN_MODULES:
            # for the message only: nothing of it is known
            return Known(path)
        raise UnknownTypeError(f"`{name}` is no constant or function of this file")

    def _check_place(self, name: str) -> None:
        """Refuse a function from elsewhere: workers get it where
        the stream is built, not when it starts.
        """
        for function in reversed(self.node.block.functions):
            if name in locals_of(function):
                scope: ast.AST = function
                break
        else:
            if self.node.block.functions:
                return
            scope = self.module.tree
        body = scope.body if isinstance(scope, ast.FunctionDef | ast.Module) else []
        for statement in body:
            if name in bound_names([statement]) and statement.lineno > self.node.call.lineno:
                raise UnknownTypeError(f"`{name}` is bound after the stream is built")

    def _read_only(self, name: str) -> Type | None:
        """Return the type of a dictionary or pattern that is assigned once and only read."""
        match self.module.assigned_value(name):
            case ast.Call(func=function, args=[ast.Constant(value=str(text))], keywords=[]):
                compiled = self.module.path_of(function) == "re.compile"
                return pattern_of(text) if compiled else None
            case ast.Dict() as dictionary:
                only_read = all(map(self._is_read, loads(self.module.tree, name)))
                return _dictionary(dictionary) if only_read else None
        return None

    def _is_read(self, node: ast.Name) -> bool:
        parent = self.module.parents[node]
        match parent:
            case ast.Subscript(ctx=ast.Load(), value=found):
                return found is node
            case ast.Attribute(attr=method):
                return method in READ_BY
            case ast.Compare():
                return node in parent.comparators
        return False


def _dictionary(node: ast.Dict) -> Type | None:
    """Return the type of a dictionary of constants."""
    try:
        literal_value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
    parts = []
    for side in (literal_value.keys(), literal_value.values()):
        values = [constant(each) for each in side]
        kinds = [value.type for value in values if value is not None]
        if len(kinds) < len(values) or not kinds:
            return None
        parts.append(union_of(*kinds))
    return Dictionary(*parts)
