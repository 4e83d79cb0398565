"""Rate limits of sources, and the estimator of backpressure that moves them.

Decision 0031: Rates are limited as by Guava and estimated as by Spark.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pyspark import SparkConf

from ..settings import (
    BACKPRESSURE,
    DERIVED,
    ESTIMATOR,
    INITIAL_RATE,
    INTEGRAL,
    LEAST_RATE,
    MAX_RATE,
    PROPORTIONAL,
)

_BURST_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.5


class RateLimit:
    """A number of records per second that one source may take.

    Permissions that were not used are saved for one second, and whoever takes many records at once
    makes the next one wait, as in Guava's ``RateLimiter``, which Spark's receivers use.

    Parameters
    ----------
    maximum : float, optional
        records per second that are never exceeded; None or 0 for no bound
    initial : float, optional
        records per second to begin with
    now : callable
        seconds of a clock that never goes back
    """

    def __init__(
        self,
        maximum: float | None = None,
        initial: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._maximum = maximum if maximum and maximum > 0 else None
        self._rate = self._within_maximum(initial) if initial and initial > 0 else self._maximum
        self._now = now
        self._lock = threading.Lock()
        self._saved = 0.0
        self._free = now()

    def current(self) -> float | None:
        """Return the records per second that may be taken now; None for any number."""
        return self._rate

    def update(self, rate: float) -> None:
        """Change the rate, within the maximum; as in Spark, one of zero or less changes nothing."""
        if rate <= 0:
            return
        with self._lock:
            self._settle()
            before, self._rate = self._rate, self._within_maximum(rate)
            self._saved *= self._rate / before if before else 0.0

    def delay(self) -> float:
        """Return the seconds until the next record may be taken."""
        return max(self._free - self._now(), 0.0)

    def take(self, count: int) -> None:
        """Note that records were taken, be it too early."""
        with self._lock:
            if self._rate is None:
                return
            self._settle()
            spared = min(float(count), self._saved)
            self._saved -= spared
            self._free += (count - spared) / self._rate

    def acquire(self, count: int, stopped: threading.Event) -> bool:
        """Wait until records may be taken and take them; returns whether nobody stopped it.

        Parameters
        ----------
        count : int
            how many
        stopped : threading.Event
            ends the wait
        """
        while (delay := self.delay()) > 0:
            if stopped.wait(min(delay, _LOOK_SECONDS)):  # the rate may change meanwhile
                return False
        self.take(count)
        return not stopped.is_set()

    def _within_maximum(self, rate: float) -> float:
        return rate if self._maximum is None else min(rate, self._maximum)

    def _settle(self) -> None:
        """Save what was not used until now."""
        now = self._now()
        if now > self._free:
            if self._rate is not None:
                room = _BURST_SECONDS * self._rate
                self._saved = min(room, self._saved + (now - self._free) * self._rate)
            self._free = now


@dataclass
class PIDRateEstimator:
    """Estimates from the last batch how many records per second the job can process.

    Mirrors ``org.apache.spark.streaming.scheduler.rate.PIDRateEstimator``: the rate follows the
    measured one (proportional), falls by the backlog that a scheduling delay stands for (integral),
    and can be damped by how fast the error changes (derivative).

    Parameters
    ----------
    interval : int
        batch interval in milliseconds
    proportional, integral, derivative : float
        weights of the three terms
    least : float
        records per second that are always allowed, so that there is something to measure

    Raises
    ------
    ValueError
        if a weight is negative, or the least rate is not positive
    """

    interval: int
    proportional: float = 1.0
    integral: float = 0.2
    derivative: float = 0.0
    least: float = 100.0

    def __post_init__(self) -> None:
        for name in ("proportional", "integral", "derivative"):
            if getattr(self, name) < 0:
                raise ValueError(
                    f"the {name} weight of backpressure must be at least 0, not "
                    f"{getattr(self, name)}"
                )
        if self.interval <= 0 or self.least <= 0:
            raise ValueError(
                "backpressure needs a batch interval and a minimum rate above 0, not "
                f"{self.interval} ms and {self.least} records/s"
            )
        self._time = -1
        self._rate: float | None = None
        self._error = 0.0

    def compute(
        self, time: int, elements: int, processing_ms: int, scheduling_ms: int
    ) -> float | None:
        """Return the new rate after a batch, or None if the batch tells nothing.

        Parameters
        ----------
        time : int
            when its processing ended, in milliseconds
        elements : int
            how many records it had
        processing_ms, scheduling_ms : int
            how long it was processed, and how long it waited before
        """
        if time <= self._time or elements <= 0 or processing_ms <= 0:
            return None
        measured = elements / processing_ms * 1000
        elapsed = (time - self._time) / 1000
        self._time = time
        if self._rate is None:  # there is no error yet
            self._rate = measured
            return None
        error = self._rate - measured
        backlog = scheduling_ms * measured / self.interval
        change = (error - self._error) / elapsed
        rate = (
            self._rate
            - self.proportional * error
            - self.integral * backlog
            - self.derivative * change
        )
        self._rate, self._error = max(rate, self.least), error
        return self._rate


class RateController:
    """Moves a limit after each batch.

    Parameters
    ----------
    limit : RateLimit
        what to move
    estimator : PIDRateEstimator
        says where to
    """

    def __init__(self, limit: RateLimit, estimator: PIDRateEstimator) -> None:
        self._limit = limit
        self._estimator = estimator

    def note_completed(
        self, time: int, elements: int, processing_ms: int, scheduling_ms: int
    ) -> None:
        """Called when a batch is completed; see :meth:`PIDRateEstimator.compute`."""
        rate = self._estimator.compute(time, elements, processing_ms, scheduling_ms)
        if rate is not None:
            self._limit.update(int(rate))  # Spark publishes whole numbers


def receiver_limit(conf: SparkConf) -> RateLimit:
    """Return the limit of a receiver, from ``receiver.maxRate`` and ``backpressure.initialRate``.

    As measured with DStreams, the initial rate counts whether backpressure is enabled or not.
    """
    return RateLimit(MAX_RATE.read(conf), INITIAL_RATE.read(conf))


def estimator_for(conf: SparkConf, interval: int) -> PIDRateEstimator | None:
    """Return the estimator that the settings ask for; None without backpressure.

    Parameters
    ----------
    conf : SparkConf
        the job's settings
    interval : int
        batch interval in milliseconds

    Raises
    ------
    ValueError
        if a setting has no usable value
    """
    if not BACKPRESSURE.read(conf):
        return None
    kind = ESTIMATOR.read(conf)
    if kind != "pid":
        raise ValueError(f"Unknown rate estimator: {kind}")
    terms = (term.read(conf) for term in (PROPORTIONAL, INTEGRAL, DERIVED, LEAST_RATE))
    return PIDRateEstimator(interval, *terms)
