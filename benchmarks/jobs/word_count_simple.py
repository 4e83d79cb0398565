"""The classic word count, whose lambdas an engine may recognise."""

from __future__ import annotations

from ..harness.batches import BatchJob, ByHand, Phase
from ..harness.job import Measure, Scale
from .small_stateless import counts, word_count, words
from .word_count_arbitrary import lines


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured."""
    count = scale.pick(20_000, 200_000, 200_000)
    warm, batches = scale.pick((1, 2), (2, 3), (3, 6))
    what = f"{count:,} lines x 11 words a batch"
    return [Phase(Measure("cycle", what, scale.main()), lines(count), warm, batches)]


JOB = BatchJob(
    "word-count-simple",
    'word count with line.split(" "), (w, 1) and a + b',
    phases=phases,
    dstream=word_count,
    by_hand=ByHand(words, counts),
    seconds=70,
)
