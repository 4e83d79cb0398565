"""The word count with arbitrary functions, as code of batches that `migrate` writes."""

from __future__ import annotations

from typing import Any

from ..harness.batches import BatchJob, ByHand
from .word_count_arbitrary import add, cut, pair, phases, word_count


def process(batch: Any, batch_id: int, states: str) -> Any:
    """Return the counts of a batch's words."""
    lines = batch.rdd.map(lambda row: row.value)
    return lines.flatMap(cut).map(pair).reduceByKey(add)


JOB = BatchJob(
    "batch-code",
    "the same word count; by hand: code of batches, as migrate writes it",
    phases=phases,
    dstream=word_count,
    by_hand=ByHand(code=process),
    seconds=65,
)
