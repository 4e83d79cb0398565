"""A job with a state and a window that is killed, and what its code of batches has printed."""

from __future__ import annotations

from pathlib import Path

JOB = """
import os
import sys
import threading
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def count_by_line(new, lines):
    lines = dict(lines or {})
    for line in new:
        lines[line] = lines.get(line, 0) + 1
    return lines


def drop(a, b):
    return a[len(b):]


def show(rdd):
    line = "totals %s" % sorted((word, sum(lines.values())) for word, lines in rdd.collect())
    print(line)
    # the batch is not committed yet: it waits for its end
    while os.path.exists("held") and open("held").read() == line:
        threading.Event().wait(0.05)


def create(folder, checkpoint):
    sc = SparkContext(appName="Recovery")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    lines = ssc.textFileStream(folder)
    pairs = lines.flatMap(lambda line: [(word, line) for word in line.split()])
    counts = pairs.mapValues(lambda line: [1]).reduceByKeyAndWindow(add, drop, 100_000)
    counts.mapValues(sum).foreachRDD(lambda rdd: print("window", sorted(rdd.collect())))
    pairs.updateStateByKey(count_by_line).foreachRDD(show)
    return ssc


ssc = StreamingContext.getOrCreate(sys.argv[2], lambda: create(sys.argv[1], sys.argv[2]))
ssc.start()
ssc.awaitTermination()
"""


def has_printed(output: Path, line: str) -> bool:
    return line in output.read_text(encoding="utf-8").splitlines()
