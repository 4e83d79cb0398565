"""Limits how many records a batch takes from Kafka."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark import SparkConf

from ...settings import INITIAL_RATE, KAFKA_RATE
from ..rates import RateController, RateLimit, estimator_for, receiver_limit
from ..tables.table import TableInput


class KafkaRate:
    """The limits of one stream.

    Parameters
    ----------
    limit : RateLimit
        of the stream, in records per second
    per_partition : float, optional
        of each partition on average, in records per second
    interval : int
        batch interval in milliseconds
    """

    def __init__(self, limit: RateLimit, per_partition: float | None, interval: int) -> None:
        self._limit = limit
        self._per_partition = per_partition
        self._seconds = interval / 1000

    def rows(self, partitions: int, intervals: int) -> int | None:
        """Return how many records so many late intervals may take; None for any number."""
        rates = [self._limit.current()]
        if self._per_partition is not None:
            rates.append(self._per_partition * partitions)
        bounds = [rate for rate in rates if rate is not None]
        return max(int(min(bounds) * self._seconds * intervals), 1) if bounds else None


def direct_rate(conf: SparkConf, interval: int) -> tuple[KafkaRate, RateController | None]:
    """Return the limits of a direct stream, and what moves them with backpressure.

    Mirrors ``DirectKafkaInputDStream``: ``kafka.maxRatePerPartition`` bounds, the initial rate
    counts with backpressure only.

    Parameters
    ----------
    conf : SparkConf
        the job's settings
    interval : int
        batch interval in milliseconds
    """
    per_partition = KAFKA_RATE.read(conf) or 0.0
    estimator = estimator_for(conf, interval)
    if estimator is None:
        limit = RateLimit()
        controller = None
    else:
        limit = RateLimit(None, INITIAL_RATE.read(conf))
        controller = RateController(limit, estimator)
    bound = per_partition if per_partition > 0 else None
    return KafkaRate(limit, bound, interval), controller


def receiver_rate(conf: SparkConf, interval: int) -> tuple[KafkaRate, RateController | None]:
    """Return the limits of a stream of a consumer group, and what moves them with backpressure.

    Parameters
    ----------
    conf : SparkConf
        the job's settings
    interval : int
        batch interval in milliseconds
    """
    limit = receiver_limit(conf)
    estimator = estimator_for(conf, interval)
    controller = None if estimator is None else RateController(limit, estimator)
    return KafkaRate(limit, None, interval), controller


def most_records(inputs: Sequence[TableInput], partitions: int, intervals: int) -> int | None:
    """Return how many records all streams of a table may take; None for any number."""
    rows = [source.most_records(partitions, intervals) for source in inputs]
    limits = [count for count in rows if count is not None]
    return sum(limits) if len(limits) == len(rows) else None
