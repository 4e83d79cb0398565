"""A running word count of ten lines a batch: what state adds to a small batch."""

from __future__ import annotations

from typing import Any

from ..harness.batches import BatchJob, ByHand
from .small_stateless import counts, phases, words


def total(new: list[int], old: int | None) -> int:
    """Return the new total of a word."""
    return sum(new) + (old or 0)


def running_count(stream: Any) -> Any:
    """Return the counts of all words since the start."""
    pairs = stream.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    return pairs.updateStateByKey(total)


def running(frame: Any) -> Any:
    """Return the same as a streaming aggregation."""
    return counts(words(frame))


JOB = BatchJob(
    "small-stateful",
    "updateStateByKey over the words of 10 lines a batch",
    phases=phases,
    dstream=running_count,
    by_hand=ByHand(running, mode="complete"),
    checkpoint=True,
    seconds=110,
)
