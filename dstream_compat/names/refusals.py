"""Private attributes of Spark's classes that cannot be honoured: they say why and what to use."""

from __future__ import annotations

from typing import Any

from ..exceptions import UnsupportedOperationError


class Refused:
    """An attribute that raises UnsupportedOperationError when it is read from an object.

    The class gives the descriptor itself, so that what walks over all names of a class, as
    ``unittest.mock`` does, gets through; calling that, or reading something of it, raises.

    Parameters
    ----------
    what, reason, instead : str
        the name, why it cannot be honoured, and what to use
    """

    def __init__(self, what: str, reason: str, instead: str) -> None:
        self._message = what, reason, instead

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        if obj is None:
            return self
        raise UnsupportedOperationError(*self._message)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise UnsupportedOperationError(*self._message)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise UnsupportedOperationError(*self._message)
