"""The types of what functions of states keep and return."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dstream_compat.native.names import Known, Local
from dstream_compat.native.schemas import schema
from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    Never,
    NoneType,
    Nullable,
    Tuple,
    Type,
    nullable,
    present,
    walk,
    words,
)

from ..builder.builder import Builder
from ..program.graph import Node
from ..udfs.expressions import TypeInference
from ..udfs.names import Names
from ..udfs.scope import JobNames
from ..udfs.types import (
    ANY,
    ZERO,
    Mixed,
    UnknownTypeError,
    map_children,
    stored_type,
    union_of,
    widen,
)

Function = ast.Lambda | ast.FunctionDef
ROUNDS = 12


@dataclass(frozen=True)
class KeyState(Type):
    """The `State` of a key, which a function of `mapWithState` is given."""

    word = "a state"


class StateInference(TypeInference):
    """Follows a function of states on types.

    Parameters
    ----------
    builder : Builder
        the job
    node : Node
        where the function is given
    """

    pure = False

    def __init__(self, builder: Builder, node: Node) -> None:
        environment = builder.module.environment_in(node.block)
        super().__init__(JobNames(builder.module, node).lookup, environment)
        self.kept: Type = Never()

    def function(self, expression: ast.expr) -> Local:
        """Return a function that is given to the node."""
        function_found = super().function(expression)
        if not isinstance(function_found, Local):
            raise UnknownTypeError("the function is not written in this file")
        return function_found

    def kept_type(self, function: Local, value: Type, first: Type) -> Type:
        """Return what a function of `updateStateByKey` keeps, with some first state."""
        state = first
        for round_ in range(ROUNDS):
            kind = union_of(state, self.call(function, [Array(value), state]))
            if kind == state:
                return present(state)
            state = widen(state, kind) if round_ > 1 else kind
        raise UnknownTypeError("the state has other types in each batch")

    def result_type(self, function: Local, kinds: list[Type]) -> Type:
        """Return what a function of `mapWithState` returns; `kept` is what it keeps then."""
        for round_ in range(ROUNDS):
            before = self.kept
            kind = self.call(function, [*kinds, KeyState()])
            if self.kept == before:
                if self.changes and any(isinstance(part, Array) for part in walk(self.kept)):
                    text = "the function changes a list in place, and the state is a list"
                    raise UnknownTypeError(text)
                return kind
            self.kept = widen(before, self.kept) if round_ > 1 else self.kept
        raise UnknownTypeError("the state has other types in each batch")

    def method(self, owner: Type, node: ast.Call, kinds: list[Type], keywords: set[str]) -> Type:
        if not isinstance(owner, KeyState):
            return super().method(owner, node, kinds, keywords)
        assert isinstance(node.func, ast.Attribute)
        match node.func.attr, kinds:
            case "get", []:
                return self.kept
            case "getOption", []:
                return nullable(self.kept)
            case "exists" | "isTimingOut", []:
                return Boolean()
            case "remove", []:
                return NoneType()
            case "update", [kept]:
                self.kept = union_of(self.kept, kept)
                return NoneType()
        raise UnknownTypeError(f"`{node.func.attr}` of a state is not known")

    def effect(self, call: ast.Call, names: Names) -> Names:
        match call.func:
            case ast.Attribute(value=ast.Name(id=name)) if names.get(name) == KeyState():
                self.type(call, names)
                return names
            case ast.Name(id="print") if self.value(call.func, names) == Known("print"):
                return names
        return super().effect(call, names)


def column_type(kind: Type, what: str, optional: bool = False) -> Type:
    """Return the type of Spark of what functions of states keep or return.

    Parameters
    ----------
    kind : Type
        the type
    what : str
        what the values are, for messages
    optional : bool
        whether fields of a tuple may be None

    Raises
    ------
    UnknownTypeError
        if there is none
    """
    kind_stored = stored_type(_plain(kind), what, ANY)
    fields = kind_stored.fields if isinstance(kind_stored, Tuple) else (kind_stored,)
    if any(isinstance(present(field), Tuple) for field in fields):
        raise UnknownTypeError(f"{what} is a tuple of tuples")
    for field in fields:
        inner = present(field) if optional and isinstance(kind_stored, Tuple) else field
        if any(isinstance(part, Nullable | Tuple) for part in walk(inner)):
            raise UnknownTypeError(f"{what} is {words(kind)}")
    return kind_stored


def _plain(kind: Type) -> Type:
    """Return a type with all integers as Spark has them here; the constant 0 may stand for 0.0."""
    match kind:
        case Long():
            return Long()
        case Mixed(kinds=kinds):
            floats = any(isinstance(kind, Double) for kind in kinds)
            return union_of(*(_plain(kind) for kind in kinds if not (floats and kind == ZERO)))
    return map_children(kind, _plain)


def column_schemas(kind: Type) -> list[str]:
    """Return the types of the columns of a stored value, as in SQL."""
    fields = kind.fields if isinstance(kind, Tuple) else (kind,)
    return [str(schema(field)).replace("bigint", "long") for field in fields]
