"""
Word counts over a sliding window, computed in the two ways that Spark offers, and the number of
lines in the window.

    $ spark-submit windowed_wordcount.py localhost 9999 60 10

The window is 60 seconds long and is printed every 10 seconds. As the length is at least five
times the slide, "kept" is computed from the window before it (add what came in, subtract what
went out), "fresh" from all of the window's batches.
"""
from __future__ import print_function

import math
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


class WindowedCounts(StatefulProcessor):
    """The count of each key over the last `length` seconds, every `slide` seconds.

    With `keep_empty` a key that has been there stays in an empty window.
    A slice is as long as the greatest time that divides both.
    """

    def __init__(self, row, length, slide, keep_empty=False):
        self.row = row
        self.length = length * 1000
        self.slide = slide * 1000
        self.pane = math.gcd(self.length, self.slide)
        self.keep_empty = keep_empty

    def init(self, handle):
        self.handle = handle
        self.slices = handle.getListState("slices", "end LONG, count LONG")

    def handleInputRows(self, key, rows, timerValues):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.pane
        if not self.slices.exists():
            self.handle.registerTimer(end + -end % self.slide)
        self.slices.appendValue((end, sum(1 for _ in rows)))
        yield from ()

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        slices = [each for each in self.slices.get() if each[0] > end - self.length]
        if not slices and self.keep_empty:
            slices = [(end, 0)]
        if slices:
            self.slices.put(slices)
            self.handle.registerTimer(end + self.slide)
            yield self.row(*key, sum(count for _, count in slices))
        else:
            self.slices.clear()


if len(sys.argv) not in (3, 5):
    print("Usage: windowed_wordcount.py <hostname> <port> [<window seconds> <slide seconds>]",
          file=sys.stderr)
    exit(1)

host = sys.argv[1]
port = int(sys.argv[2])
window_length = int(sys.argv[3]) if len(sys.argv) == 5 else 60
slide = int(sys.argv[4]) if len(sys.argv) == 5 else 10

spark = (
    SparkSession.builder.appName("WindowedWordCount")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)

lines = spark.readStream.format("socket").option("host", host).option("port", port).load()
pairs = (
    lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    .where(F.col("word") != "")
)

kept = (
    pairs.groupBy("word")
    .transformWithState(
        WindowedCounts(Row("word", "count"), window_length, slide, keep_empty=window_length >= 5 * slide),
        "word STRING, count LONG",
        "append",
        "processingTime",
    )
)


def process_kept(batch, batch_id):
    batch.select(F.lit("kept").alias("field_1"), "word", "count").show(100, truncate=False)


fresh = (
    pairs.groupBy("word")
    .transformWithState(
        WindowedCounts(Row("word", "count"), window_length, slide),
        "word STRING, count LONG",
        "append",
        "processingTime",
    )
)


def process_fresh(batch, batch_id):
    batch.select(F.lit("fresh").alias("field_1"), "word", "count").show(100, truncate=False)


windowed_counts = (
    lines.select(F.lit(True).alias("all"))
    .groupBy("all")
    .transformWithState(
        WindowedCounts(Row("all", "count"), window_length, slide, keep_empty=window_length >= 5 * slide),
        "all BOOLEAN, count LONG",
        "append",
        "processingTime",
    )
)


def process_window(batch, batch_id):
    batch.select(F.lit("lines").alias("key"), "count").show(10, truncate=False)


kept_query = (
    kept.writeStream.foreachBatch(process_kept)
    .option("checkpointLocation", "windowed-checkpoint/kept")
    .trigger(processingTime=f"{math.gcd(window_length, slide)} seconds")
    .start()
)
fresh_query = (
    fresh.writeStream.foreachBatch(process_fresh)
    .option("checkpointLocation", "windowed-checkpoint/fresh")
    .trigger(processingTime=f"{math.gcd(window_length, slide)} seconds")
    .start()
)
window_query = (
    windowed_counts.writeStream.foreachBatch(process_window)
    .option("checkpointLocation", "windowed-checkpoint/window")
    .trigger(processingTime=f"{math.gcd(window_length, slide)} seconds")
    .start()
)
spark.streams.awaitAnyTermination()
