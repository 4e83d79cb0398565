# Needs Spark 4.1 or newer.

"""Counts words; what it needs is imported where it is needed."""
from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


class WindowedRows(StatefulProcessor):
    """The rows of the last `length` seconds, every `slide` seconds."""

    def __init__(self, row, length, slide):
        self.row = row
        self.length = length * 1000
        self.slide = slide * 1000

    def init(self, handle):
        self.handle = handle
        self.slices = handle.getListState("slices", "end LONG, count LONG")

    def handleInputRows(self, key, rows, timerValues):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        if not self.slices.exists():
            self.handle.registerTimer(end)
        self.slices.appendValue((end, sum(1 for _ in rows)))
        yield from ()

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        slices = [each for each in self.slices.get() if each[0] > end - self.length]
        if slices:
            self.slices.put(slices)
            self.handle.registerTimer(end + self.slide)
            for _ in range(sum(count for _, count in slices)):
                yield self.row(*key)
        else:
            self.slices.clear()


spark = (
    SparkSession.builder.appName("Late")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)

import sys

lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
words = lines.select(
    F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"),
)


def process_counts(batch, batch_id):
    counts = batch.groupBy("word").count()
    counts.show(10, truncate=False)


# windows of two batches
windowed_rows = (
    lines.groupBy("value")
    .transformWithState(
        WindowedRows(Row("value"), 2, 1),
        "value STRING",
        "append",
        "processingTime",
    )
)


def process_window(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.groupBy().count().show(10, truncate=False)
    batch.unpersist()


import time

started = time.time()
counts_query = (
    words.writeStream.foreachBatch(process_counts)
    .trigger(processingTime="1 second")
    .start()
)
window_query = (
    windowed_rows.writeStream.foreachBatch(process_window)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
print(time.time() - started)
