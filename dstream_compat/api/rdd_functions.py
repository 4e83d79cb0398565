"""Operators that are functions of the driver over RDDs."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..arity import timed
from .stateful import StatefulOperators

if TYPE_CHECKING:
    from ..dstream import DStream


class RDDOperators(StatefulOperators):
    """transform."""

    def transform(self, func: Callable[..., Any]) -> DStream:
        """Return a stream of the RDDs that a function makes of each batch's RDD.

        Parameters
        ----------
        func : callable
            ``func(rdd)`` or ``func(time, rdd)``; runs in the driver, once per batch, and returns
            an RDD

        Raises
        ------
        AssertionError
            if a plain function takes neither one nor two arguments
        """
        if isinstance(func, FunctionType):
            assert func.__code__.co_argcount in (1, 2), "func should take one or two arguments"
        return self._rdd_function("transform", timed(func))
