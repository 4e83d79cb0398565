"""Totals of many keys of which few change: state grows tenfold and again."""

from __future__ import annotations

from typing import Any

from ..harness.batches import COUNT, BatchJob, ByHand, Lines, Phase
from ..harness.job import Measure, Scale
from .small_stateful import total

TOUCHED = 10_000


def keys(stored: int) -> Lines:
    """Return batches of keys: the first one has all that are stored."""

    def batch(number: int) -> list[str]:
        if number == 0:
            return [f"key-{i}" for i in range(stored)]
        return [f"key-{(number * 7919 + i * 31) % stored}" for i in range(min(TOUCHED, stored))]

    return batch


def totals(stream: Any) -> Any:
    """Return the counts of all keys."""
    return stream.map(lambda key: (key, 1)).updateStateByKey(total)


def aggregated(frame: Any) -> Any:
    """Return the same as a streaming aggregation."""
    return frame.groupBy("value").count()


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured."""
    largest = scale.pick(100_000, 1_000_000, 1_000_000)
    plan = [
        (largest // 100, scale.other(), *scale.pick((2, 2), (3, 3), (5, 8))),
        (largest // 10, scale.main(), *scale.pick((2, 2), (4, 3), (5, 6))),
        (largest, scale.main(), *scale.pick((1, 1), (2, 2), (2, 3))),
    ]
    return [
        Phase(
            Measure(f"{stored}-keys", f"{stored:,} keys stored", rounds, size=stored),
            keys(stored),
            warm,
            batches,
        )
        for stored, rounds, warm, batches in plan
    ]


JOB = BatchJob(
    "update-state",
    f"updateStateByKey, {TOUCHED:,} updates a batch",
    phases=phases,
    dstream=totals,
    by_hand=ByHand(aggregated, mode="complete"),
    action=COUNT,
    checkpoint=True,
    seconds=100,
)
