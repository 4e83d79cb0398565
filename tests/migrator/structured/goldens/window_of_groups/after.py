# Needs Spark 4.1 or newer.

"""The number of values of each key and the largest one, every two seconds."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


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
    SparkSession.builder.appName("WindowOfGroups")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
fields = (
    lines.where(F.size(F.split(F.col("value"), ",")) == 2)
    .select(F.split(F.col("value"), ",").alias("fields"))
)
sizes = fields.select(F.col("fields")[0].alias("key"), F.length(F.col("fields")[1]).alias("length"))
windowed_rows = (
    sizes.groupBy("key", "length")
    .transformWithState(
        WindowedRows(Row("key", "length"), 4, 2),
        "key STRING, length INT",
        "append",
        "processingTime",
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.groupBy("key").count().show(10, truncate=False)
    # keys that are gone from the window are not shown
    batch.groupBy("key").agg(F.max(F.col("length")).alias("length")).show(10, truncate=False)
    batch.unpersist()


query = (
    windowed_rows.writeStream.foreachBatch(process_batch)
    .trigger(processingTime="2 seconds")
    .start()
)
query.awaitTermination()
