# Needs Spark 4.1 or newer.

"""The longest line of the last two seconds."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


class WindowedLengths(StatefulProcessor):
    """The length of each key over the last `length` seconds, every `slide` seconds.

    With `keep_empty` a key that has been there stays in an empty window.
    """

    def __init__(self, row, length, slide, keep_empty=False):
        self.row = row
        self.length = length * 1000
        self.slide = slide * 1000
        self.keep_empty = keep_empty

    def init(self, handle):
        self.handle = handle
        self.slices = handle.getListState("slices", "end LONG, length INT")

    def handleInputRows(self, key, rows, timerValues):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        if not self.slices.exists():
            self.handle.registerTimer(end)
        self.slices.appendValue((end, max(row["length"] for row in rows)))
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
            yield self.row(*key, max(length for _, length in slices))
        else:
            self.slices.clear()


class WindowedTotals(StatefulProcessor):
    """The total of each key over the last `length` seconds, every `slide` seconds.

    With `keep_empty` a key that has been there stays in an empty window.
    """

    def __init__(self, row, length, slide, keep_empty=False):
        self.row = row
        self.length = length * 1000
        self.slide = slide * 1000
        self.keep_empty = keep_empty

    def init(self, handle):
        self.handle = handle
        self.slices = handle.getListState("slices", "end LONG, total LONG")

    def handleInputRows(self, key, rows, timerValues):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        if not self.slices.exists():
            self.handle.registerTimer(end)
        self.slices.appendValue((end, sum(row["value"] for row in rows)))
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
            yield self.row(*key, sum(total for _, total in slices))
        else:
            self.slices.clear()


spark = (
    SparkSession.builder.appName("WindowReduce")
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
lengths = lines.select(F.length(F.col("value")).alias("length"))
windowed_lengths = (
    lengths.select(F.lit(True).alias("all"), "length")
    .groupBy("all")
    .transformWithState(
        WindowedLengths(Row("all", "length"), 2, 1),
        "all BOOLEAN, length INT",
        "append",
        "processingTime",
    )
)


def process_window(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.select("length").show(10, truncate=False)
    batch.unpersist()


windowed_totals = (
    lengths.select(
        F.lit(True).alias("all"),
        F.when(F.col("length") > 1, 1).otherwise(0).alias("value"),
    )
    .groupBy("all")
    .transformWithState(
        WindowedTotals(Row("all", "total"), 5, 1, keep_empty=True),
        "all BOOLEAN, total LONG",
        "append",
        "processingTime",
    )
)


def process_window_2(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.select("total").show(10, truncate=False)
    batch.unpersist()


window_query = (
    windowed_lengths.writeStream.foreachBatch(process_window)
    .trigger(processingTime="1 second")
    .start()
)
window_2_query = (
    windowed_totals.writeStream.foreachBatch(process_window_2)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
