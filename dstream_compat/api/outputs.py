"""Output operations: foreachRDD, pprint and saveAsTextFiles."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..util import rddToFileName
from .arity import with_time
from .base import S, StreamBase

if TYPE_CHECKING:
    from pyspark import RDD


class OutputOperators(StreamBase[S]):
    """foreachRDD, pprint and saveAsTextFiles."""

    def foreachRDD(self, func: Callable[..., Any]) -> None:
        """Call a function with each batch's RDD.

        Mirrors ``pyspark.streaming.DStream.foreachRDD``.

        Parameters
        ----------
        func : callable
            ``func(rdd)`` or ``func(time, rdd)``; runs in the driver, in the user's process

        Raises
        ------
        TypeError
            if it cannot be called
        """
        self._output("foreachRDD", with_time(func, "foreachRDD"))

    def pprint(self, num: int = 10) -> None:
        """Print the batch time and the first records of each batch.

        Mirrors ``pyspark.streaming.DStream.pprint``.

        Parameters
        ----------
        num : int
            how many records; an ellipsis follows if there are more
        """

        def print_batch(time: datetime, rdd: RDD[Any]) -> None:
            taken = rdd.take(num + 1)
            print("-------------------------------------------")
            print(f"Time: {time}")
            print("-------------------------------------------")
            for record in taken[:num]:
                print(record)
            if len(taken) > num:
                print("...")
            print("", flush=True)

        self._output("pprint", print_batch)

    def saveAsTextFiles(self, prefix: str, suffix: str | None = None) -> None:
        """Save each batch as text, one folder per batch: ``prefix-milliseconds[.suffix]``.

        Mirrors ``pyspark.streaming.DStream.saveAsTextFiles``.

        Parameters
        ----------
        prefix, suffix : str
            parts of the folder's name; any Hadoop path. A folder that is there is written over
        """

        def save_batch(time: datetime, rdd: RDD[Any]) -> None:
            rdd.saveAsTextFile(rddToFileName(prefix, suffix, time))

        self._output("saveAsTextFiles", save_batch)
