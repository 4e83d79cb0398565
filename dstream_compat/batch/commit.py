"""Decides whether an interval is committed, computed again, or only its outputs run again."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ..wire.errors import CapturedError
from .commit_delay import CommitDelay
from .failed_batches import FailedBatches
from .later_queries import LaterQuery
from .rdds import MicroBatch


class Ended(Enum):
    """How an output has ended: LOST is one whose records could not be computed."""

    DONE = 0
    FAILED = 1
    LOST = 2


class IntervalCommit:
    """Decides whether an interval is to be computed again, or its outputs are to run again.

    Parameters
    ----------
    later : sequence of LaterQuery
        the queries behind the first one
    failed : FailedBatches, optional
        keeps batches whose outputs are to run again; None in a job that cannot be recovered
    delay : CommitDelay, optional
        lets an interval wait whose records could not be computed
    """

    def __init__(
        self,
        later: Sequence[LaterQuery],
        failed: FailedBatches | None,
        delay: CommitDelay | None,
    ) -> None:
        self._later = later
        self.failed = failed
        self._delay = delay
        self._lost = False
        self._again: Sequence[MicroBatch] | None = None

    def begin(self) -> None:
        """Begin an interval: no output has run."""
        self._lost, self._again = False, None

    def note_error(self, error: CapturedError | None, tick: int) -> None:
        """Note that something could not be computed, if it is not what an earlier batch kept."""
        if error is not None and is_new(error, tick):
            self.lose(tick)

    def lose(self, tick: int) -> None:
        """Note that something could not be computed: a restart is to do all of it anew."""
        self._lost = True
        if self._delay is not None:
            for query in self._later:
                query.handover.withdraw(tick)

    def note_outputs(self, ended: Sequence[Ended], batches: Sequence[MicroBatch]) -> None:
        """Note how the outputs have ended, in that order, and what they were computed from.

        As with DStreams, the output that ends last decides whether they run again. It is of no
        use to run one again with what could not be computed.
        """
        again = Ended.FAILED in ended and ended[-1] is not Ended.DONE
        self._again = list(batches) if again else []

    def settle(self, tick: int, due: int) -> None:
        """Do what is to be done before an interval is committed; ``due`` is the next one's time."""
        if self._lost and self._delay is not None:
            self._delay.wait(tick, due)
        for query in self._later:
            query.handover.make_durable(tick)
        self.keep_or_drop(tick)

    def keep_or_drop(self, tick: int) -> None:
        """Keep a batch whose outputs are to run again, or forget it if they have run."""
        if self.failed is None or self._again is None:  # no output has run
            return
        if self._again:
            self.failed.keep(tick, self._again)
        else:
            self.failed.forget(tick)


def is_new(error: CapturedError, tick: int) -> bool:
    """Return whether an error is of this batch, not one that state has kept since another one."""
    return error.since in (0, tick)
