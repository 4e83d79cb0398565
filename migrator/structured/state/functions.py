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

    def function(self, given: ast.expr) -> Local:
        """Return a function that is given to the node."""
        found = super().function(given)
        if not isinstance(found, Local):
            raise UnknownTypeError("the function is not written in this file")
        return found

    def kept_type(self, function: Local, value: Type, first: Type) -> Type:
        """Return what a function of `updateStateByKey` keeps, with some first state."""
        state = first
        for round_ in range(ROUNDS):
            found = union_of(state, self.call(function, [Array(value), state]))
            if found == state:
                return present(state)
            state = widen(state, found) if round_ > 1 else found
        raise UnknownTypeError("the state has other types in each batch")

    def result_type(self, function: Local, given: list[Type]) -> Type:
        """Return what a function of `mapWithState` returns; `kept` is what it keeps then."""
        for round_ in range(ROUNDS):
            before = self.kept
            found = self.call(function, [*given, KeyState()])
            if self.kept == before:
                if self.changes and any(isinstance(each, Array) for each in walk(self.kept)):
                    text = "the function changes a list in place, and the state is a list"
                    raise UnknownTypeError(text)
                return found
            self.kept = widen(before, self.kept) if round_ > 1 else self.kept
        raise UnknownTypeError("the state has other types in each batch")

    def method(self, owner: Type, node: ast.Call, given: list[Type], keywords: set[str]) -> Type:
        if not isinstance(owner, KeyState):
            return super().method(owner, node, given, keywords)
        assert isinstance(node.func, ast.Attribute)
        match node.func.attr, given:
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
    found = stored_type(_plain(kind), what, ANY)
    fields = found.fields if isinstance(found, Tuple) else (found,)
    if any(isinstance(present(each), Tuple) for each in fields):
        raise UnknownTypeError(f"{what} is a tuple of tuples")
    for each in fields:
        inner = present(each) if optional and isinstance(found, Tuple) else each
        if any(isinstance(part, Nullable | Tuple) for part in walk(inner)):
            raise UnknownTypeError(f"{what} is {words(kind)}")
    return found


def _plain(kind: Type) -> Type:
    """Return a type with all integers as Spark has them here; the constant 0 may stand for 0.0."""
    match kind:
        case Long():
            return Long()
        case Mixed(kinds=kinds):
            floats = any(isinstance(each, Double) for each in kinds)
            return union_of(*(_plain(each) for each in kinds if not (floats and each == ZERO)))
    return map_children(kind, _plain)


def column_schemas(kind: Type) -> list[str]:
    """Return the types of the columns of a stored value, as in SQL."""
    fields = kind.fields if isinstance(kind, Tuple) else (kind,)
    return [str(schema(each)).replace("bigint", "long") for each in fields]
