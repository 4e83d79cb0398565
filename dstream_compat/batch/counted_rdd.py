"""An RDD whose number of records is known: to ask for it needs no Spark job."""

from __future__ import annotations

from typing import Any

from pyspark import RDD, SparkContext
from pyspark.serializers import Serializer


class CountedRDD(RDD[Any]):
    """A stream's batch that is too large for the driver, which has been told its size.

    ``count`` and ``isEmpty`` are answered in the driver, unless the RDD is to be saved: then the
    first job does that, as users expect of ``rdd.cache(); rdd.count()``.

    Parameters
    ----------
    jrdd : JavaObject
        the RDD in the JVM
    ctx : SparkContext
        the user's context
    serializer : Serializer
        reads its records
    records : int
        how many there are
    """

    def __init__(self, jrdd: Any, ctx: SparkContext, serializer: Serializer, records: int) -> None:
        super().__init__(jrdd, ctx, serializer)
        self._records = records

    def _is_saved(self) -> bool:
        return self.is_cached or self.is_checkpointed

    def count(self) -> int:
        """Return the number of records."""
        return super().count() if self._is_saved() else self._records

    def isEmpty(self) -> bool:
        """Return whether there are no records."""
        return super().isEmpty() if self._is_saved() else self._records == 0
