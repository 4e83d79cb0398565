"""Feeds rate controllers with completed batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..source.base import Input
from ..source.rates import RateController
from .batches import Batch
from .java_values import UNKNOWN


class RateFeed:
    """Reports the speed of completed batches to inputs with backpressure.

    Late intervals that share a micro-batch are reported as one: the first of them has the work that
    they have in common, so the others look faster than they are.

    Parameters
    ----------
    inputs : mapping
        source node id to input
    """

    def __init__(self, inputs: Mapping[int, Input]) -> None:
        rates = {node: source.rate for node, source in inputs.items()}
        self._rates: dict[int, RateController] = {n: r for n, r in rates.items() if r is not None}
        self._last: int | None = None
        self._begin = UNKNOWN
        self._records: dict[int, int] = {}

    @property
    def is_needed(self) -> bool:
        """Whether any input wants to know."""
        return bool(self._rates)

    def note_plan(self, batches: Sequence[Batch]) -> None:
        """Note the batches of a micro-batch."""
        self._last = batches[-1].tick if batches else None
        self._begin = UNKNOWN
        self._records = dict.fromkeys(self._rates, 0)

    def note_done(self, batch: Batch) -> None:
        """Pass on that a batch was completed."""
        if self._last is None or batch.tick > self._last:
            return
        if self._begin == UNKNOWN:
            self._begin = batch.begin
        for node in self._records:
            if node in batch.inputs:
                self._records[node] += batch.records(node)
        if batch.tick == self._last and self._begin != UNKNOWN:
            self._last = None
            took, late = batch.end - self._begin, max(self._begin - batch.submission, 0)
            for node, rate in self._rates.items():
                rate.note_completed(batch.end, self._records[node], took, late)
