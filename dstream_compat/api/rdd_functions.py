"""Operators that are functions of the driver over RDDs."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..arity import argument_count, timed
from .stateful import StatefulOperators

if TYPE_CHECKING:
    from ..dstream import DStream


class RDDOperators(StatefulOperators):
    """transform and transformWith."""

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

    def transformWith(
        self, func: Callable[..., Any], other: DStream, keepSerializer: bool = False
    ) -> DStream:
        """Return a stream of the RDDs that a function makes of this and another stream's RDDs.

        Parameters
        ----------
        func : callable
            ``func(rdd, other_rdd)`` or ``func(time, rdd, other_rdd)``; runs in the driver
        other : DStream
            of the same slide duration
        keepSerializer : bool
            has no effect

        Raises
        ------
        AssertionError
            if the function takes neither two nor three arguments
        """
        count = argument_count(func)
        assert count in (2, 3), "func should take two or three arguments"
        if self._node.slide != other._node.slide:
            raise ValueError("the two DStream should have same slide duration")

        def call(time: Any, first: Any, second: Any) -> Any:
            return func(first, second) if count == 2 else func(time, first, second)

        return self._rdd_function("transformWith", call, (other._node,))
