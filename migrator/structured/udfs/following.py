"""What all parts of the inference know of the function that they follow."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dstream_compat.native.expressions import Literal
from dstream_compat.native.names import Environment, Known
from dstream_compat.native.types import (
    Double,
    Long,
    Never,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    present,
    words,
)

from .names import Followed, Names, Value
from .results import Raised, check_percent, operation
from .types import Certain, UnknownTypeError, has_integers, hashable, is_lazy, parts, printable


class Following(ABC):
    """The inference at a place of a function, and the errors that may leave the function.

    Parameters
    ----------
    lookup : callable
        the meaning of a name that is not of the function itself; raises if it is not known
    environment : Environment
        where names outside of functions are looked up
    """

    pure = True
    """Whether the function must have no effect, and give the same each time that it is called."""

    def __init__(
        self, lookup: Callable[[str, Environment], Value], environment: Environment
    ) -> None:
        self.lookup = lookup
        self.frames = [Followed(environment)]
        self.changes = False
        self.raised: Raised = set()
        self.uncaught: Raised = set()

    @abstractmethod
    def call(self, function: Value, arguments: list[Type]) -> Type:
        """Return the type of what a function returns for arguments of some types."""

    @abstractmethod
    def value(self, node: ast.expr, names: Names) -> Value:
        """Return the type of an expression, or the function that it is."""

    @abstractmethod
    def bind(self, target: ast.expr, value: Value, names: Names) -> None:
        """Give a target a value of a type."""

    @abstractmethod
    def type_of_known_call(
        self, name: str, values: list[Value], keywords: dict[str, Value], nodes: list[ast.expr]
    ) -> Type:
        """Return the type of what a function of Python gives."""

    @abstractmethod
    def method(self, owner: Type, node: ast.Call, kinds: list[Type], keywords: set[str]) -> Type:
        """Return the type of what a method gives."""

    @abstractmethod
    def effect(self, call: ast.Call, names: Names) -> Names:
        """Return the names after a call whose value is not used: something is added to a list."""

    def type(self, node: ast.expr, names: Names) -> Type:
        """Return the type of an expression."""
        value_found = self.value(node, names)
        if isinstance(value_found, Type):
            return value_found
        if isinstance(value_found, Known) and value_found.name in (
            "math.pi",
            "math.e",
            "math.inf",
            "math.nan",
        ):
            return Double()
        raise UnknownTypeError(f"`{ast.unparse(node)}` is used as a value", node)

    def binary(self, left: ast.expr, op: ast.operator, right: ast.expr, names: Names) -> Type:
        """Return the type of what a binary operator gives."""
        pair = self.here(self.type(left, names)), self.here(self.type(right, names))
        if isinstance(op, ast.Mod) and any(isinstance(part, String) for part in parts(pair[0])):
            check_percent(self.text_behind(left))
        return self.operation(op, *pair)

    def operation(self, op: ast.operator, left: Type, right: Type) -> Type:
        """Return the type of what a binary operator gives of two values that are not None."""
        return operation(op, left, right, self.raised)

    def loop(self, loop: ast.For, names: Names) -> Names | None:
        """Return the names after a loop that need not be followed; None for others."""
        return None

    def text_behind(self, node: ast.expr) -> ast.expr:
        """Return an expression; the text itself for a name that always stands for it."""
        if isinstance(node, ast.Name) and node.id not in self.frames[-1].own:
            match self.frames[-1].environment.lookup(node.id):
                case Literal(value=str(text)):
                    return ast.copy_location(ast.Constant(text), node)
        return node

    def here(self, kind: Type) -> Type:
        """Return the type of a value that is used: None raises."""
        if isinstance(kind, Nullable | NoneType):
            self.raised |= {TypeError, AttributeError}
        return Never() if isinstance(kind, NoneType) else present(kind)

    def note_hash(self, kind: Type) -> None:
        """Note that a key or an element of a set may be a list."""
        if not hashable(kind):
            self.raised.add(TypeError)

    def truth(self, kind: Type) -> bool | None:
        """Return whether all values of a type are true, or all are not; None if it depends."""
        if any(map(is_lazy, parts(present(kind)))):
            raise UnknownTypeError("the truth of an iterator is used")
        match kind:
            case Certain(value=value):
                return value
            case NoneType():
                return False
            case Tuple(fields=fields):
                return bool(fields)
            case Long(lo=lo, hi=hi) if lo == hi or not lo <= 0 <= hi:
                return bool(lo)
        return None

    def text_of(self, kind: Type) -> Type:
        """Return the type of the text of a value."""
        if not printable(kind):
            raise UnknownTypeError(f"the text of {words(kind)} is not known")
        if has_integers(kind):
            # the number of digits of a text is limited
            self.raised.add(ValueError)
        return String()

    @contextmanager
    def later(self) -> Iterator[None]:
        """Return what is computed when an iterator is read: no
        `try` around this place catches it.
        """
        before, self.raised = self.raised, set()
        try:
            yield
        finally:
            self.uncaught |= self.raised
            self.raised = before | self.raised
