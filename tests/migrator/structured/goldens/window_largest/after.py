# Needs Spark 4.1 or newer.

"""The highest temperature of each place in three seconds."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


class WindowedLengths(StatefulProcessor):
    """The length of each key over the last `length` seconds, every `slide` seconds."""

    def __init__(self, row, length, slide):
        self.row = row
        self.length = length * 1000
        self.slide = slide * 1000

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
        if slices:
            self.slices.put(slices)
            self.handle.registerTimer(end + self.slide)
            yield self.row(*key, max(length for _, length in slices))
        else:
            self.slices.clear()


class WindowedLengths2(StatefulProcessor):
    """The length of each key over the last `length` seconds, every `slide` seconds."""

    def __init__(self, row, length, slide):
        self.row = row
        self.length = length * 1000
        self.slide = slide * 1000

    def init(self, handle):
        self.handle = handle
        self.slices = handle.getListState("slices", "end LONG, length INT")

    def handleInputRows(self, key, rows, timerValues):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        if not self.slices.exists():
            self.handle.registerTimer(end)
        self.slices.appendValue((end, min(row["length"] for row in rows)))
        yield from ()

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        now = timerValues.getCurrentProcessingTimeInMs()
        end = now - now % self.slide
        slices = [each for each in self.slices.get() if each[0] > end - self.length]
        if slices:
            self.slices.put(slices)
            self.handle.registerTimer(end + self.slide)
            yield self.row(*key, min(length for _, length in slices))
        else:
            self.slices.clear()


spark = (
    SparkSession.builder.appName("WindowLargest")
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
readings = lines.select(F.split(F.col("value"), ",").alias("fields"))
pairs = readings.select(
    F.col("fields")[0].alias("key"),
    F.length(F.col("fields")[1]).alias("length"),
)
windowed_lengths = (
    pairs.groupBy("key")
    .transformWithState(
        WindowedLengths(Row("key", "length"), 3, 1),
        "key STRING, length INT",
        "append",
        "processingTime",
    )
)


def process_window(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(10, truncate=False)
    batch.unpersist()


windowed_lengths2 = (
    pairs.groupBy("key")
    .transformWithState(
        WindowedLengths2(Row("key", "length"), 3, 1),
        "key STRING, length INT",
        "append",
        "processingTime",
    )
)


def process_window_2(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(10, truncate=False)
    batch.unpersist()


window_query = (
    windowed_lengths.writeStream.foreachBatch(process_window)
    .trigger(processingTime="1 second")
    .start()
)
window_2_query = (
    windowed_lengths2.writeStream.foreachBatch(process_window_2)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
