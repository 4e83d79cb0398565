"""Delays the commit of a batch that could not be computed, since the job may end on it."""

from __future__ import annotations

import logging
import time
from typing import Final

from ..clock import Clock
from ..lifecycle import BatchAborted, Lifecycle, Phase

_LEAST_SECONDS: Final = 5.0
_MOST_SECONDS: Final = 60.0
_LOOK_SECONDS: Final = 0.05
_LOG = logging.getLogger("dstream_compat")


class CommitDelay:
    """Lets a job that ends on an error compute the batch again in its next life.

    DStreams compute what has failed again whenever it is needed, also after a restart. Here state
    goes on from what is committed. So the first batch of a process that fails so is not committed
    before the job has shown that it goes on: until the next batch is due, five seconds at least and
    a minute at most.

    Parameters
    ----------
    clock : Clock
        gives batch times
    life : Lifecycle
        of the context
    can_read_again : bool
        whether a restart finds what was received; if not, a graceful stop goes on to process it
    """

    def __init__(
        self,
        clock: Clock,
        life: Lifecycle,
        can_read_again: bool,
    ) -> None:
        self._clock = clock
        self._life = life
        self._can_read_again = can_read_again
        self._passed = False

    def wait(self, tick: int, due: int) -> None:
        """Wait until the job goes on, unless it did before.

        Parameters
        ----------
        tick, due : int
            times of the failed batch and of the next one in milliseconds

        Raises
        ------
        BatchAborted
            if the context is stopped meanwhile
        """
        if self._passed:
            return
        began = time.monotonic()
        while not self._goes_on(due, time.monotonic() - began):
            stopped = self._life.wait_for(Phase.HALTING, _LOOK_SECONDS)
            if stopped or (self._is_draining() and self._can_read_again):
                raise BatchAborted(
                    f"the StreamingContext was stopped when the batch of {tick} ms had failed; a "
                    "restart computes it again"
                )
        self._passed = True
        _LOG.warning(
            "the batch of %d ms failed while it was computed, and the job goes on: a restart will "
            "not compute it again, nor later batches that fail in this way",
            tick,
        )

    def _is_draining(self) -> bool:
        return self._life.phase in (Phase.DRAINING, Phase.STOPPING)

    def _goes_on(self, due: int, waited: float) -> bool:
        if self._is_draining() and not self._can_read_again:
            return True
        return waited > (_LEAST_SECONDS if self._clock.now() >= due else _MOST_SECONDS)
