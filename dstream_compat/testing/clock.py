"""Moves the time of a context by hand, on this package and on Spark's DStreams."""

from __future__ import annotations

from typing import Any, Final

from .errors import RunError

SETTING: Final = "spark.streaming.clock"
MANUAL: Final = "org.apache.spark.util.ManualClock"


class ManualClock:
    """The clock of a context, which stands still until a test moves it.

    Spark has to be started with the setting ``spark.streaming.clock`` of :attr:`settings`; the
    pytest fixture ``spark`` does that. Time begins at 0.

    Parameters
    ----------
    ssc : StreamingContext
        of this package or of Spark

    Raises
    ------
    RunError
        if the context has the system's clock

    Examples
    --------
    >>> clock = ManualClock(ssc)  # doctest: +SKIP
    >>> clock.advance(1)  # doctest: +SKIP
    """

    settings: Final = {SETTING: MANUAL}

    def __init__(self, ssc: Any) -> None:
        clock = getattr(ssc, "_clock", None)
        self._ssc = ssc
        self._is_sparks = clock is None
        if clock is not None and not hasattr(clock, "advance"):
            raise RunError(_NOT_MANUAL)
        self._clock = clock

    def advance(self, seconds: float) -> None:
        """Let time pass, and so the batches begin that are due; returns before they end.

        Parameters
        ----------
        seconds : float
            how much
        """
        self._own().advance(round(seconds * 1000))

    def advance_to(self, seconds: float) -> None:
        """Let time pass until a time, unless it is that late already.

        Parameters
        ----------
        seconds : float
            the time, from 0
        """
        self.advance(max(seconds - self.now(), 0))

    def now(self) -> float:
        """Return the seconds that have passed."""
        clock = self._own()
        return float(clock.getTimeMillis() if self._is_sparks else clock.now()) / 1000

    def _own(self) -> Any:
        if self._clock is None:
            clock = self._ssc._jssc.ssc().scheduler().clock()
            if clock.getClass().getName() != MANUAL:
                raise RunError(_NOT_MANUAL)
            self._clock = clock
        return self._clock


_NOT_MANUAL: Final = (
    f"the context has the system's clock: start Spark with {SETTING}={MANUAL} "
    "(the settings of ManualClock.settings)"
)
