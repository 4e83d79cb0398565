"""What the parts of the inference know of the function that they follow."""

from __future__ import annotations

import ast
from contextlib import AbstractContextManager
from typing import Protocol

from dstream_compat.native.names import Environment
from dstream_compat.native.types import Type

from .names import Names, Value
from .results import Raised


class Following(Protocol):
    """The inference at a place of a function."""

    raised: Raised
    uncaught: Raised
    environments: list[Environment]
    own: list[frozenset[str]]

    def lookup(self, name: str, environment: Environment) -> Value:
        """Return the meaning of a name that is not of the function itself."""

    def call(self, function: Value, arguments: list[Type]) -> Type:
        """Return the type of what a function returns for arguments of some types."""

    def value(self, node: ast.expr, names: Names) -> Value:
        """Return the type of an expression, or the function that it is."""

    def type(self, node: ast.expr, names: Names) -> Type:
        """Return the type of an expression."""

    def joined(self, kinds: list[Type]) -> Type:
        """Return the type of values of several types."""

    def here(self, kind: Type) -> Type:
        """Return the type of a value that is used: None raises."""

    def hashed(self, kind: Type) -> None:
        """Note that a key or an element of a set may be a list."""

    def truth(self, kind: Type) -> None:
        """Check that the truth of a value is known."""

    def text_of(self, kind: Type) -> Type:
        """Return the type of the text of a value."""

    def later(self) -> AbstractContextManager[None]:
        """Return what is computed when an iterator is read: no
        `try` around this place catches it.
        """

    def bind(self, target: ast.expr, found: Value, names: Names) -> None:
        """Give a target a value of a type."""
