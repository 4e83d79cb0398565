"""Counts the arguments of a user's RDD function: ``(rdd)`` or ``(time, rdd)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any


def takes_time(function: Callable[..., Any]) -> bool:
    """Return whether to call an RDD function as ``f(time, rdd)`` rather than ``f(rdd)``.

    For plain functions this is Spark's rule: one parameter, defaults counted, means ``(rdd)``,
    anything else ``(time, rdd)``. Methods, partials and other callables, which fail with
    DStreams, go by their signature.
    """
    if isinstance(function, FunctionType):
        return function.__code__.co_argcount != 1
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False  # a builtin without a signature, such as print
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in positional if p.default is p.empty]
    return len(required) == 2 or (not required and len(positional) >= 2)


def argument_count(function: Callable[..., Any]) -> int:
    """Return how many positional arguments ``transformWith`` counts: two or three are fine.

    For plain functions defaults count; of others, parameters with defaults are left out if the
    required ones are enough.
    """
    if isinstance(function, FunctionType):
        return function.__code__.co_argcount
    parameters = inspect.signature(function).parameters.values()
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = sum(p.default is p.empty for p in positional)
    return required if required >= 2 else len(positional)


def with_time(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return an RDD function as ``f(time, rdd)``.

    Parameters
    ----------
    function : callable
        what the user gave
    name : str
        the operator that got it

    Raises
    ------
    TypeError
        if it cannot be called
    """
    if not callable(function):
        raise TypeError(f"{name} takes a function, not {type(function).__name__}")
    if takes_time(function):
        return function

    def call(_: Any, rdd: Any) -> Any:
        return function(rdd)

    return call
