"""Operators that are functions of the driver over RDDs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..exceptions import StreamingStateError
from .arity import argument_count
from .base import S, StreamBase

if TYPE_CHECKING:
    from pyspark import RDD


class RDDOperators(StreamBase[S]):
    """transformWith and slice; ``transform`` itself is in ``DStream``, for what it returns."""

    def slice(self, begin: datetime | float, end: datetime | float) -> list[RDD[Any]]:
        """Return the RDDs of this stream's batches from one time to another, both included.

        Batches that are due, but late, are waited for; those that are not due are left out.

        Mirrors ``pyspark.streaming.DStream.slice``.

        Parameters
        ----------
        begin, end : datetime or float
            batch times, as datetimes or as seconds since the epoch

        Returns
        -------
        list of RDD

        Raises
        ------
        StreamingStateError
            before ``start()``, for a stream that no output needs, and for batches that
            ``StreamingContext.remember`` did not keep; in an output or a function of
            ``transform``, for later batches that are due
        """
        job = self._ssc._job
        if job is None or self._node not in self._ssc._graph.reachable():
            raise StreamingStateError(f"{self._node.label} has not been initialized")
        return job.runner.past.slice(self._node, _milliseconds(begin), _milliseconds(end))

    def transformWith(
        self, func: Callable[..., Any], other: StreamBase[Any], keepSerializer: bool = False
    ) -> S:
        """Return a stream of the RDDs that a function makes of this and another stream's RDDs.

        Mirrors ``pyspark.streaming.DStream.transformWith``.

        Parameters
        ----------
        func : callable
            ``func(rdd, other_rdd)`` or ``func(time, rdd, other_rdd)``; runs in the driver
        other : DStream
            in batches that it does not have, its RDD is empty
        keepSerializer : bool
            has no effect

        Returns
        -------
        DStream

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

        return self._stream(self._rdd_function("transformWith", call, (self._beside(other),)))


def _milliseconds(time: datetime | float) -> int:
    return int((time.timestamp() if isinstance(time, datetime) else time) * 1000)
