# Needs Spark 4.1 or newer.

"""Keeps the last three lengths of each first letter."""
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


LAST = 3


def last_sizes(new, sizes):
    return ((sizes or []) + new)[-LAST:]


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
    SparkSession.builder.appName("StateLast")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])

lines = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
)
words = (
    lines.select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
    .select(F.substring(F.col("word"), 1, 1).alias("key"), F.length(F.col("word")).alias("length"))
)
keys = (
    words.groupBy("key")
    .transformWithState(
        LastSizes(),
        outputStructType="key string, sizes array<long>",
        outputMode="Update",
        timeMode="ProcessingTime",
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(20, truncate=False)
    batch.unpersist()


query = (
    keys.writeStream.foreachBatch(process_batch)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
