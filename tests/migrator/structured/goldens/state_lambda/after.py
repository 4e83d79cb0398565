# Needs Spark 4.1 or newer.

"""Counts up to a limit."""
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


LIMIT = 7


spark = (
    SparkSession.builder.appName("StateLambda")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])

words = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
    .select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
)
letters = words.select(
    F.substring(F.col("word"), 1, 1).alias("key"),
    F.length(F.col("word")).alias("length"),
)


class Capped(StatefulProcessor):
    """Calls the function for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        self.seen = handle.getValueState("seen", "seen long")

    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [row.length for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, new, timerValues):
        seen = self.seen.get()[0] if self.seen.exists() else None
        seen = sum(min(n, LIMIT) for n in new) + (seen or 0) if new else seen
        if seen is None:
            self.seen.clear()
            return
        self.seen.update((seen,))
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row(key=key[0], seen=seen)


# a lambda that is neither a sum nor a maximum
capped = (
    letters.groupBy("key")
    .transformWithState(
        Capped(),
        outputStructType="key string, seen long",
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
    capped.writeStream.foreachBatch(process_batch)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
