# Needs Spark 4.1 or newer.

"""Keeps the longest word of each first letter."""
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def longest(words, best):
    for word in words:
        if best is None or len(word) > len(best):
            best = word
    return best


class Longest(StatefulProcessor):
    """Calls longest for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        self.best = handle.getValueState("best", "best string")

    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [row.word for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, words, timerValues):
        best = self.best.get()[0] if self.best.exists() else None
        best = longest(words, best)
        if best is None:
            self.best.clear()
            return
        self.best.update((best,))
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row(key=key[0], best=best)


spark = (
    SparkSession.builder.appName("StateLongest")
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
    .select(F.substring(F.col("word"), 1, 1).alias("key"), "word")
)
bests = (
    words.groupBy("key")
    .transformWithState(
        Longest(),
        outputStructType="key string, best string",
        outputMode="Update",
        timeMode="ProcessingTime",
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.select("best").show(20, truncate=False)
    batch.unpersist()


query = (
    bests.writeStream.foreachBatch(process_batch)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
