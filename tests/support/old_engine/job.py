"""A job over files that runs unchanged on Spark's DStreams, and on dstream_compat.

``job.py SETTINGS`` as in ``batches``, with the folder of the input.
"""

from __future__ import annotations

import os

from batches import given, kept, line_of, live, started
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from tally import sums, tallies


def pairs(new: list[int], old: tuple[int, int] | None) -> tuple[int, int]:
    words, batches = old or (0, 0)
    return words + len(new), batches + 1


def create() -> StreamingContext:
    ssc = StreamingContext(SparkContext.getOrCreate(), 1)
    ssc.checkpoint(given["checkpoint"])
    words = ssc.textFileStream(given["input"]).flatMap(lambda line: line.split())
    ones = words.map(lambda word: (word, 1))
    total = ones.updateStateByKey(sums)
    total.checkpoint(2)
    kept("sums", total)
    both = ones.updateStateByKey(pairs)
    both.checkpoint(2)
    kept("pairs", both)
    counted = ones.updateStateByKey(tallies)
    counted.checkpoint(2)
    kept("tallies", counted.mapValues(lambda tally: [tally.words, tally.batches]))
    window = ones.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 5, 1)
    window.checkpoint(2)
    kept("window", window.filter(lambda pair: pair[1] > 0))
    kept("last", words)
    return ssc


def feed(second: int) -> None:
    folder = given["local_input"]
    draft = os.path.join(folder, ".draft")
    with open(draft, "w") as lines:
        lines.write(line_of(second) + "\n")
    os.utime(draft, (second - 0.5, second - 0.5))
    os.rename(draft, os.path.join(folder, f"part-{second}"))


started("an old job")
live(StreamingContext.getOrCreate(given["checkpoint"], create), feed)
