"""Which errors a function may raise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dstream_compat.native.types import (
    Never,
    NoneType,
    Nullable,
    String,
    Type,
    present,
    words,
)

from .results import Raised
from .types import UnknownTypeError, has_integers, hashable, is_lazy, parts, printable


class Raising:
    """What is noted of the errors of a function while its types are followed."""

    def __init__(self) -> None:
        self.raised: Raised = set()
        self.uncaught: Raised = set()

    def here(self, kind: Type) -> Type:
        """Return the type of a value that is used: None raises."""
        if isinstance(kind, Nullable | NoneType):
            self.raised |= {TypeError, AttributeError}
        return Never() if isinstance(kind, NoneType) else present(kind)

    def hashed(self, kind: Type) -> None:
        """Note that a key or an element of a set may be a list."""
        if not hashable(kind):
            self.raised.add(TypeError)

    def truth(self, kind: Type) -> None:
        """Check that the truth of a value is known."""
        if any(map(is_lazy, parts(present(kind)))):
            raise UnknownTypeError("the truth of an iterator is used")

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
