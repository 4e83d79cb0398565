# Needs Spark 4.1 or newer.

"""Keeps the last two lengths of each first letter, in the order of the lines."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


def last_sizes(new, sizes):
    return ((sizes or []) + new)[-2:]


class LastSizes(StatefulProcessor):
    """Calls last_sizes for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        self.sizes = handle.getValueState("sizes", "sizes array<long>")

    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [row.length for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, new, timerValues):
        sizes = self.sizes.get()[0] if self.sizes.exists() else None
        sizes = last_sizes(new, sizes)
        if sizes is None:
            self.sizes.clear()
            return
        self.sizes.update((sizes,))
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row(key=key[0], sizes=sizes)


spark = (
    SparkSession.builder.appName("StateOfLines")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .config("spark.log.level", "ERROR")
    .getOrCreate()
)
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[3])
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
keys = (
    lines.select(
        F.substring(F.col("value"), 1, 1).alias("key"),
        F.length(F.col("value")).alias("length"),
    )
    .groupBy("key")
    .transformWithState(
        LastSizes(),
        outputStructType="key string, sizes array<long>",
        outputMode="Update",
        timeMode="ProcessingTime",
    )
)


def process_lines(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


records = lines.where(F.length(F.col("value")) > 1)


def process_lines_2(batch, batch_id):
    batch.show(3, truncate=False)


lines_query = (
    keys.writeStream.foreachBatch(process_lines)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
lines_2_query = (
    records.writeStream.foreachBatch(process_lines_2)
    .trigger(processingTime="1 second")
    .start()
)
spark.streams.awaitAnyTermination()
