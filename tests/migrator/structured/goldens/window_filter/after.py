# Needs Spark 4.1 or newer.

"""Counts words with an inverse function, and drops those of which none is left."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


class WindowedCounts(StatefulProcessor):
    """The count of each key over the last `length` seconds, every `slide` seconds."""

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
            yield self.row(*key, sum(count for _, count in slices))
        else:
            self.slices.clear()


spark = (
    SparkSession.builder.appName("WindowFilter")
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
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))

# words that have gone are not shown
counts = (
    words.groupBy("word")
    .transformWithState(
        WindowedCounts(Row("word", "count"), 6, 1),
        "word STRING, count LONG",
        "append",
        "processingTime",
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(10, truncate=False)
    batch.unpersist()


query = counts.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
