"""Operators over the batches of a sliding window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ops.reduce_window import ReduceByKeyAndWindow
from ..ops.window import Window
from .keyed import KeyedOperators

if TYPE_CHECKING:
    from ..dstream import DStream


class WindowOperators(KeyedOperators):
    """window and reduceByKeyAndWindow."""

    def _window_ms(self, window: float, slide: float | None) -> tuple[int, int]:
        own = self._node.slide
        length = int(window * 1000)
        every = own if slide is None else int(slide * 1000)
        for name, value in (("windowDuration", length), ("slideDuration", every)):
            if value <= 0 or value % own:
                raise ValueError(
                    f"{name} must be multiple of the slide duration ({own} ms), not {value} ms"
                )
        return length, every

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
        own = self._node.slide
        return self._shuffle("window", lambda i: Window(i, 1, own, slide, length))

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
