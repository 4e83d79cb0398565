"""What the names of a job mean for functions that workers get."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Expression, constant
from dstream_compat.native.names import (
    KNOWN_MODULES,
    Choices,
    Environment,
    Getter,
    Known,
    Local,
    bound_names,
)
from dstream_compat.native.types import Dictionary, Type
from migrator.infer.scopes import locals_of

from ..program.bindings import loads
from ..program.graph import Node
from ..program.modules import SourceModule
from .names import Value
from .patterns import pattern_of
from .types import SetOf, UnknownTypeError, union_of

READ_BY = frozenset(("get", "items", "keys", "values"))


class JobNames:
    """The names of a job around the functions of a node.

    Parameters
    ----------
    module : Module
        the module of the job
    node : Node
        whose functions they are
    """

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
