"""Word counts of the last six seconds, each second, with an inverse function."""

from __future__ import annotations

from typing import Any

from ..harness.batches import BatchJob, ByHand, Phase
from ..harness.job import Measure, Scale
from .word_count_arbitrary import lines

LENGTH = 6


def add(a: int, b: int) -> int:
    """Return the sum."""
    return a + b


def subtract(a: int, b: int) -> int:
    """Return the difference."""
    return a - b


def windowed(stream: Any) -> Any:
    """Return the counts of the words of the last intervals."""
    pairs = stream.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    return pairs.reduceByKeyAndWindow(add, subtract, LENGTH, 1)


def sliding(frame: Any) -> Any:
    """Return the same with event-time windows, the times of the files being the event times."""
    from pyspark.sql.functions import col, explode, split, window

    timed = frame.select(
        explode(split(col("value"), " ")).alias("word"),
        col("_metadata.file_modification_time").alias("at"),
    )
    windows = window("at", f"{LENGTH} seconds", "1 second")
    return timed.withWatermark("at", "0 seconds").groupBy(windows, "word").count()


def counted(frame: Any) -> Any:
    """Return words with their counts: one window ends in a micro-batch."""
    return frame.select("word", "count")


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured."""
    count = scale.pick(20_000, 200_000, 200_000)
    batches = scale.pick(1, 2, 6)
    what = f"{count:,} lines x 11 words a batch, {LENGTH} batches a window"
    measure = Measure("cycle", what, scale.main())
    return [Phase(measure, lines(count), LENGTH + 1, batches)]


JOB = BatchJob(
    "window",
    "reduceByKeyAndWindow with an inverse function",
    phases=phases,
    dstream=windowed,
    by_hand=ByHand(sliding, counted, lag=1),
    checkpoint=True,
    seconds=100,
)
