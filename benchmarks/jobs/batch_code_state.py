"""Totals of many keys, as code of batches that `migrate` writes: the state is an RDD."""

from __future__ import annotations

from typing import Any

from migrator.structured.builder.helpers import UPDATE, source_of

from ..harness.batches import COUNT, BatchJob, ByHand
from .small_stateful import total
from .update_state import TOUCHED, phases, totals

HELPERS: dict[str, Any] = {}
exec(source_of(UPDATE), HELPERS)


def process(batch: Any, batch_id: int, states: str) -> Any:
    """Return the counts of all keys."""
    keys = batch.rdd.map(lambda row: row.value)
    return HELPERS[UPDATE](keys.map(lambda key: (key, 1)), total, states, batch_id)


JOB = BatchJob(
    "batch-code-state",
    f"the same, {TOUCHED:,} updates a batch; by hand: code of batches, as migrate writes it",
    phases=phases,
    dstream=totals,
    by_hand=ByHand(code=process),
    action=COUNT,
    checkpoint=True,
    seconds=100,
)
