# Needs Spark 4.1 or newer.

"""Counts words and lines over windows of a length that is an argument."""
import math
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


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


length, slide = (int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) == 5 else (60, 10)
spark = (
    SparkSession.builder.appName("WindowArguments")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)
spark.conf.set("spark.sql.streaming.checkpointLocation", "checkpoint")
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
counts = (
    lines.select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
    .groupBy("word")
    .transformWithState(
        WindowedCounts(Row("word", "count"), length, slide, keep_empty=length >= 5 * slide),
        "word STRING, count LONG",
        "append",
        "processingTime",
    )
)


def process_counts(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.select(F.lit("word").alias("field_1"), "word", "count").show(10, truncate=False)
    batch.unpersist()


windowed_counts = (
    lines.select(F.lit(True).alias("all"))
    .groupBy("all")
    .transformWithState(
        WindowedCounts(Row("all", "count"), length, slide, keep_empty=length >= 5 * slide),
        "all BOOLEAN, count LONG",
        "append",
        "processingTime",
    )
)


def process_window(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    (
        batch.select(F.concat(F.col("count").cast("string"), F.lit(" lines")).alias("value"))
        .show(10, truncate=False)
    )
    batch.unpersist()


counts_query = (
    counts.writeStream.foreachBatch(process_counts)
    .trigger(processingTime=f"{math.gcd(length, slide)} seconds")
    .start()
)
window_query = (
    windowed_counts.writeStream.foreachBatch(process_window)
    .trigger(processingTime=f"{math.gcd(length, slide)} seconds")
    .start()
)
spark.streams.awaitAnyTermination()
