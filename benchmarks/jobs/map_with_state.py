"""mapWithState, which DStreams lack in Python: a batch should cost what it touches."""

from __future__ import annotations

from typing import Any

from ..harness.batches import COUNT, BatchJob, Phase
from ..harness.figures import OURS
from ..harness.job import Measure, Scale
from .update_state import TOUCHED, keys


def total(key: str, value: int | None, state: Any) -> tuple[str, int]:
    """Return a key with its new total."""
    state.update((state.getOption() or 0) + (value or 0))
    return key, state.get()


def totals(stream: Any) -> Any:
    """Return the new totals of the keys of a batch."""
    from dstream_compat import StateSpec

    return stream.map(lambda key: (key, 1)).mapWithState(StateSpec.function(total))


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured."""
    largest = scale.pick(100_000, 1_000_000, 1_000_000)
    warm, batches = scale.pick((2, 2), (4, 4), (10, 10))
    return [
        Phase(
            Measure(f"{stored}-keys", f"{stored:,} keys stored", scale.main(), size=stored),
            keys(stored),
            warm,
            batches,
        )
        for stored in (largest // 10, largest)
    ]


JOB = BatchJob(
    "map-with-state",
    f"mapWithState, {TOUCHED:,} keys touched in a batch",
    engines=(OURS,),
    phases=phases,
    dstream=totals,
    action=COUNT,
    checkpoint=True,
    seconds=30,
)
