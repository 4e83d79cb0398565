"""Finds byte code in pickles: another minor version of Python cannot run it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .frames import dumps

_SIGNS: Final = (b"\x8c\x0d_builtin_type", b"\x8c\x08CodeType")
"""How cloudpickle names the type of code: the names of a function, and of what it is to return."""


def has_byte_code(pickled: bytes) -> bool:
    """Return whether a pickle has functions, or classes with methods, that travel by value.

    Pickles within it count, too: stored values have some.

    Parameters
    ----------
    pickled : bytes
        of protocol 4 or later
    """
    return all(sign in pickled for sign in _SIGNS)


def is_sent_by_value(function: Callable[..., Any]) -> bool:
    """Return whether a function is pickled with byte code, not by its name.

    Parameters
    ----------
    function : callable
        may have byte code of another Python
    """
    try:
        return has_byte_code(dumps(function))
    except Exception:  # cloudpickle reads byte code, as if it were of this Python
        return True
