"""Operators that are functions of the driver over RDDs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..exceptions import StreamingStateError
from .arity import argument_count, timed
from .stateful import StatefulOperators

if TYPE_CHECKING:
    from pyspark import RDD

    from ..dstream import DStream, TransformedDStream


class RDDOperators(StatefulOperators):
    """transform and transformWith."""

    def transform(self, func: Callable[..., Any]) -> TransformedDStream:
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
        TypeError
            if it is no function at all
        """
        if isinstance(func, FunctionType):
            assert func.__code__.co_argcount in (1, 2), "func should take one or two arguments"
        return self._transformed(timed(func, "transform"))

    def _transformed(self, func: Callable[[datetime, RDD[Any]], RDD[Any]]) -> TransformedDStream:
        from ..dstream import DStream, TransformedDStream

        assert isinstance(self, DStream)
        return TransformedDStream(self, func)

    def slice(self, begin: datetime | float, end: datetime | float) -> list[RDD[Any]]:
        """Return the RDDs of this stream's batches from one time to another, both included.

        Parameters
        ----------
        begin, end : datetime or float
            batch times, as datetimes or as seconds since the epoch

        Raises
        ------
        StreamingStateError
            before ``start()``, for a stream that no output needs, and for batches that
            ``StreamingContext.remember`` did not keep
        """
        job = self._ssc._job
        if job is None or self._node not in self._ssc._graph.reachable():
            raise StreamingStateError(f"{self._node.label} has not been initialized")
        return job.runner.past.slice(self._node, _milliseconds(begin), _milliseconds(end))

    def transformWith(
        self, func: Callable[..., Any], other: DStream, keepSerializer: bool = False
    ) -> DStream:
        """Return a stream of the RDDs that a function makes of this and another stream's RDDs.

        Parameters
        ----------
        func : callable
            ``func(rdd, other_rdd)`` or ``func(time, rdd, other_rdd)``; runs in the driver
        other : DStream
            in batches that it does not have, its RDD is empty
        keepSerializer : bool
            has no effect

        Raises
        ------
        AssertionError
            if the function takes neither two nor three arguments
        ValueError
            if the other stream is of another context
        """
        count = argument_count(func)
        assert count in (2, 3), "func should take two or three arguments"

        def call(time: Any, first: Any, second: Any) -> Any:
            return func(first, second) if count == 2 else func(time, first, second)

        return self._rdd_function("transformWith", call, (self._beside(other),))


def _milliseconds(time: datetime | float) -> int:
    return int((time.timestamp() if isinstance(time, datetime) else time) * 1000)
