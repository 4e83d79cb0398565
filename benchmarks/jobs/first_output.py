"""From the start of the process to the first output of a small job."""

from __future__ import annotations

from ..harness.batches import BatchJob, Phase
from ..harness.figures import DSTREAMS, OURS
from ..harness.job import Measure, Scale
from .small_stateless import lines, word_count


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured: one batch."""
    measure = Measure("first", "first output after the start of the process", scale.main(), "first")
    return [Phase(measure, lines, 0, 1)]


JOB = BatchJob(
    "first-output",
    "word count of 10 lines, first batch of a new process",
    engines=(DSTREAMS, OURS),
    fresh=True,
    phases=phases,
    dstream=word_count,
    seconds=55,
)
