"""What becomes of an interval between its outputs and its commit."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ..wire.errors import CapturedError
from .commit_delay import Hold
from .failed_batches import PendingBatches
from .later_queries import Tier
from .rdds import MicroBatch


class Ended(Enum):
    """How an output has ended: LOST is one whose records could not be computed."""

    DONE = 0
    FAILED = 1
    LOST = 2


class Settling:
    """Decides whether an interval is to be computed again, or its outputs are to run again.

    Attributes
    ----------
    pending : PendingBatches, optional
        keeps batches whose outputs are to run again; None in a job that cannot be recovered
    hold : Hold, optional
        lets an interval wait whose records could not be computed
    tiers : list of Tier
        the queries behind the first one
    """

    def __init__(self) -> None:
        self.pending: PendingBatches | None = None
        self.hold: Hold | None = None
        self.tiers: list[Tier] = []
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
        if self.hold is not None:
            for tier in self.tiers:
                tier.withdraw(tick)

    def note_outputs(self, ended: Sequence[Ended], batches: Sequence[MicroBatch]) -> None:
        """Note how the outputs have ended, in that order, and what they were computed from.

        As on the real engine, the output that ends last decides whether they run again. It is of no
        use to run one again with what could not be computed.
        """
        again = Ended.FAILED in ended and ended[-1] is not Ended.DONE
        self._again = list(batches) if again else []

    def settle(self, tick: int, due: int) -> None:
        """Do what is to be done before an interval is committed; ``due`` is the next one's time."""
        if self._lost and self.hold is not None:
            self.hold.wait(tick, due)
        for tier in self.tiers:
            tier.settle(tick)
        self.keep_or_drop(tick)

    def keep_or_drop(self, tick: int) -> None:
        """Keep a batch whose outputs are to run again, or forget it if they have run."""
        if self.pending is None or self._again is None:  # no output has run
            return
        if self._again:
            self.pending.keep(tick, self._again)
        else:
            self.pending.done(tick)


def is_new(error: CapturedError, tick: int) -> bool:
    """Return whether an error is of this batch, not one that state has kept since another one."""
    return error.since in (0, tick)
