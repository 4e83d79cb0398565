"""Operators over the batches of a sliding window."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark.resultiterable import ResultIterable

from ..graph.placement import placement_of
from ..worker.operators.reduce_window import ReduceByKeyAndWindow
from ..worker.operators.window import Window
from .composed import composed
from .joins import JoinOperators

if TYPE_CHECKING:
    from ..dstream import DStream


def _extend(values: list[Any], more: list[Any]) -> list[Any]:
    values.extend(more)
    return values


def _without_first(values: list[Any], gone: list[Any]) -> list[Any]:
    return values[len(gone) :]


class WindowOperators(JoinOperators):
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

    def window(self, windowDuration: float, slideDuration: float | None = None) -> DStream:
        """Return a stream of the records of the last ``windowDuration`` seconds.

        Parameters
        ----------
        windowDuration : int or float
            seconds; a multiple of this stream's slide duration
        slideDuration : int or float, optional
            seconds between two batches of the result; this stream's if None

        Raises
        ------
        ValueError
            if a duration is not a multiple of this stream's slide duration
        """
        length, slide = self._window_ms(windowDuration, slideDuration)
        own, merged = self._node.slide, placement_of(self._node) is not None
        return self._shuffle("window", lambda i: Window(i, 1, own, slide, length, merged))

    def reduceByKeyAndWindow(
        self,
        func: Callable[[Any, Any], Any],
        invFunc: Callable[[Any, Any], Any] | None,
        windowDuration: float,
        slideDuration: float | None = None,
        numPartitions: int | None = None,
        filterFunc: Callable[[tuple[Any, Any]], Any] | None = None,
    ) -> DStream:
        """Return a stream of (key, reduced value) over a sliding window.

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
            partitions of the result; ``sc.defaultParallelism`` if None
        filterFunc : callable, optional
            keeps a (key, value) pair; ignored without ``invFunc``

        Raises
        ------
        ValueError
            if a duration is not a multiple of this stream's slide duration
        """
        length, slide = self._window_ms(windowDuration, slideDuration)
        partitions, own = self._partitions(numPartitions), self._node.slide
        return self._shuffle(
            "reduceByKeyAndWindow",
            lambda i: ReduceByKeyAndWindow(
                i, partitions, own, slide, func, invFunc, filterFunc, length
            ),
            needs_checkpoint=invFunc is not None,
        )

    @composed
    def reduceByWindow(
        self,
        reduceFunc: Callable[[Any, Any], Any],
        invReduceFunc: Callable[[Any, Any], Any] | None,
        windowDuration: float,
        slideDuration: float,
    ) -> DStream:
        """Return a stream with one record per window: all of its records reduced.

        Parameters
        ----------
        reduceFunc : callable
            associative and commutative
        invReduceFunc : callable, optional
            inverse of ``reduceFunc``
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        """
        reduced = self.map(lambda x: (1, x)).reduceByKeyAndWindow(
            reduceFunc, invReduceFunc, windowDuration, slideDuration, 1
        )
        return reduced.map(operator.itemgetter(1))

    @composed
    def countByWindow(self, windowDuration: float, slideDuration: float) -> DStream:
        """Return a stream with the number of records of each window.

        Parameters
        ----------
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        """
        ones = self.map(lambda _: 1)
        return ones.reduceByWindow(operator.add, operator.sub, windowDuration, slideDuration)

    @composed
    def countByValueAndWindow(
        self, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> DStream:
        """Return a stream of (record, number of its occurrences in the window).

        Parameters
        ----------
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        numPartitions : int, optional
            partitions of the result; ``sc.defaultParallelism`` if None
        """
        counted = self.map(lambda x: (x, 1)).reduceByKeyAndWindow(
            operator.add, operator.sub, windowDuration, slideDuration, numPartitions
        )
        return counted.filter(lambda pair: pair[1] > 0)

    @composed
    def groupByKeyAndWindow(
        self, windowDuration: float, slideDuration: float, numPartitions: int | None = None
    ) -> DStream:
        """Return a stream of (key, iterable of its values in the window).

        Parameters
        ----------
        windowDuration, slideDuration : int or float
            seconds, multiples of this stream's slide duration
        numPartitions : int, optional
            partitions of the result; ``sc.defaultParallelism`` if None
        """
        grouped = self.mapValues(lambda value: [value]).reduceByKeyAndWindow(
            _extend, _without_first, windowDuration, slideDuration, numPartitions
        )
        return grouped.mapValues(ResultIterable)
