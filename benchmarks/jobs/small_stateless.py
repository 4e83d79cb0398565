"""A word count of ten lines: what a batch costs before it has anything to do."""

from __future__ import annotations

from typing import Any

from ..harness.batches import BatchJob, ByHand, Phase
from ..harness.figures import LATENCY
from ..harness.job import Measure, Scale


def lines(number: int) -> list[str]:
    """Return ten short lines."""
    return [f"a b a c w{number % 5}"] * 10


def word_count(stream: Any) -> Any:
    """Return the counts of a batch's words."""
    pairs = stream.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    return pairs.reduceByKey(lambda a, b: a + b)


def words(frame: Any) -> Any:
    """Return the words of lines, with functions of Spark SQL."""
    from pyspark.sql.functions import col, explode, split

    return frame.select(explode(split(col("value"), " ")).alias("word"))


def counts(frame: Any) -> Any:
    """Return the counts of a micro-batch's words."""
    return frame.groupBy("word").count()


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured: batches back to back, then one a second."""
    warm, batches = scale.pick((5, 5), (15, 8), (40, 30))
    seconds, idle = scale.pick((2, 1), (5, 1), (6, 4))
    return [
        Phase(Measure("cycle", "batches back to back", scale.main()), lines, warm, batches),
        Phase(
            Measure("latency", "one batch a second: from due to done", scale.main(), "latency"),
            lines,
            1,
            seconds,
            LATENCY,
            idle,
        ),
    ]


JOB = BatchJob(
    "small-stateless",
    "word count of 10 lines a batch",
    phases=phases,
    dstream=word_count,
    by_hand=ByHand(words, counts),
    seconds=110,
)
