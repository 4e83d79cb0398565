"""Operators over the batches of a sliding window."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pyspark.resultiterable import ResultIterable

from ..graph.nodes import Node
from ..graph.placement import placement_of
from ..worker.operators.record_functions import Filter, Map, MapValues
from ..worker.operators.reduce_window import ReduceByKeyAndWindow
from ..worker.operators.window import Window
from .base import S, StreamBase
from .operator_names import as_one_operator


def _extend(values: list[Any], more: list[Any]) -> list[Any]:
    values.extend(more)
    return values


def _without_first(values: list[Any], gone: list[Any]) -> list[Any]:
    return values[len(gone) :]


class WindowOperators(StreamBase[S]):
    """window, reduceByKeyAndWindow and what is made of them."""

    def _window_ms(self, window: float, slide: float | None) -> tuple[int, int]:
        own = self._node.slide
        length = int(window * 1000)
        every = own if slide is None else int(slide * 1000)
        for name, value in (("windowDuration", length), ("slideDuration", every)):
            if value <= 0 or value % own:
                raise ValueError(
                    f"{name} must be multiple of the parent dstream's slide (batch) duration "
                    f"({own} ms), not {value} ms"
                )
        return length, every

    def _validate_window_param(self, window: float, slide: float | None) -> None:
        self._window_ms(window, slide)

    def window(self, windowDuration: float, slideDuration: float | None = None) -> S:
        """Return a stream of the records of the last ``windowDuration`` seconds.

        Mirrors ``pyspark.streaming.DStream.window``.

        Parameters
        ----------
        windowDuration : int or float
            seconds; a multiple of this stream's slide duration
        slideDuration : int or float, optional
            seconds between two batches of the result; this stream's if None

        Returns
        -------
        DStream

        Raises
        ------
        ValueError
            if a duration is not a multiple of this stream's slide duration
        """
        length, slide = self._window_ms(windowDuration, slideDuration)
        own, merged = self._node.slide, placement_of(self._node) is not None
        return self._stream(
            self._shuffle("window", lambda i: Window(i, 1, own, slide, length, merged))
        )

    def reduceByKeyAndWindow(
        self,
        func: Callable[[Any, Any], Any],
        invFunc: Callable[[Any, Any], Any] | None,
        windowDuration: float,
        slideDuration: float | None = None,
        numPartitions: int | None = None,
        filterFunc: Callable[[tuple[Any, Any]], Any] | None = None,
    ) -> S:
        """Return a stream of (key, reduced value) over a sliding window.

        Mirrors ``pyspark.streaming.DStream.reduceByKeyAndWindow``.

        Parameters
        ----------
        func : callable
            associative and commutative
        invFunc : callable, optional
            inverse of ``func``; used when the window is at least five slides long. Then keys
            without values stay, with what the inverse leaves, unless ``filterFunc`` drops them
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        numPartitions : int, optional
            partitions of the result; the default parallelism if None
        filterFunc : callable, optional
            keeps a (key, value) pair; ignored without ``invFunc``

        Returns
        -------
        DStream

        Raises
        ------
        ValueError
            if a duration is not a multiple of this stream's slide duration
        """
        durations = self._window_ms(windowDuration, slideDuration)
        return self._stream(self._reduce_over(func, invFunc, durations, numPartitions, filterFunc))

    def _reduce_over(
        self,
        func: Callable[[Any, Any], Any],
        inverse: Callable[[Any, Any], Any] | None,
        durations: tuple[int, int],
        num_partitions: int | None,
        keep: Callable[[tuple[Any, Any]], Any] | None = None,
        of: Node | None = None,
    ) -> Node:
        """Return values reduced by key over windows of (length, slide) milliseconds."""
        length, slide = durations
        partitions, own = self._partitions(num_partitions), self._node.slide
        return self._shuffle(
            "reduceByKeyAndWindow",
            lambda i: ReduceByKeyAndWindow(i, partitions, own, slide, func, inverse, keep, length),
            needs_checkpoint=inverse is not None,
            of=of,
        )

    def _reduced_to_one_over(
        self,
        func: Callable[[Any, Any], Any],
        inverse: Callable[[Any, Any], Any] | None,
        durations: tuple[int, int],
        of: Node | None = None,
    ) -> Node:
        pairs = self._narrow("map", Map(lambda x: (1, x)), of=of)
        reduced = self._reduce_over(func, inverse, durations, 1, of=pairs)
        return self._narrow("map", Map(operator.itemgetter(1)), of=reduced)

    @as_one_operator
    def reduceByWindow(
        self,
        reduceFunc: Callable[[Any, Any], Any],
        invReduceFunc: Callable[[Any, Any], Any] | None,
        windowDuration: float,
        slideDuration: float,
    ) -> S:
        """Return a stream with one record per window: all of its records reduced.

        Mirrors ``pyspark.streaming.DStream.reduceByWindow``.

        Parameters
        ----------
        reduceFunc : callable
            associative and commutative
        invReduceFunc : callable, optional
            inverse of ``reduceFunc``
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration

        Returns
        -------
        DStream
        """
        durations = self._window_ms(windowDuration, slideDuration)
        return self._stream(self._reduced_to_one_over(reduceFunc, invReduceFunc, durations))

    @as_one_operator
    def countByWindow(self, windowDuration: float, slideDuration: float) -> S:
        """Return a stream with the number of records of each window.

        Mirrors ``pyspark.streaming.DStream.countByWindow``.

        Parameters
        ----------
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration

        Returns
        -------
        DStream
        """
        durations = self._window_ms(windowDuration, slideDuration)
        ones = self._narrow("map", Map(lambda _: 1))
        return self._stream(self._reduced_to_one_over(operator.add, operator.sub, durations, ones))

    @as_one_operator
    def countByValueAndWindow(
        self, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> S:
        """Return a stream of (record, number of its occurrences in the window).

        Mirrors ``pyspark.streaming.DStream.countByValueAndWindow``.

        Parameters
        ----------
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        durations = self._window_ms(windowDuration, slideDuration)
        pairs = self._narrow("map", Map(lambda x: (x, 1)))
        counted = self._reduce_over(operator.add, operator.sub, durations, numPartitions, of=pairs)
        present = self._narrow("filter", Filter(lambda pair: pair[1] > 0), keeps=True, of=counted)
        return self._stream(present)

    @as_one_operator
    def groupByKeyAndWindow(
        self, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> S:
        """Return a stream of (key, iterable of its values in the window).

        Mirrors ``pyspark.streaming.DStream.groupByKeyAndWindow``.

        Parameters
        ----------
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        durations = self._window_ms(windowDuration, slideDuration)
        lists = self._narrow("mapValues", MapValues(lambda value: [value]), keeps=True)
        grouped = self._reduce_over(_extend, _without_first, durations, numPartitions, of=lists)
        groups = self._narrow("mapValues", MapValues(ResultIterable), keeps=True, of=grouped)
        return self._stream(groups)
