# Needs Spark 4.1 or newer.

"""Counts words, on top of what was counted before."""
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


KNOWN_BEFORE = [("spark", 100), ("storm", 3)]


def update_total(new_values, total):
    return (total or 0) + sum(new_values)


class UpdateTotal(StatefulProcessor):
    """Calls update_total for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        self.total = handle.getValueState("total", "total long")

    def handleInitialState(self, key, initialState, timerValues):
        self.total.update((initialState.value,))
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs())

    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [row.value for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, new_values, timerValues):
        total = self.total.get()[0] if self.total.exists() else None
        total = update_total(new_values, total)
        if total is None:
            self.total.clear()
            return
        self.total.update((total,))
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row(word=key[0], total=total)


spark = (
    SparkSession.builder.appName("StateInitial")
    .config(
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    )
    .getOrCreate()
)
spark.conf.set("spark.sql.streaming.checkpointLocation", sys.argv[2])

initial = spark.createDataFrame(KNOWN_BEFORE, ["key", "value"])
words = (
    spark.readStream.text(sys.argv[1])
    .where(F.col("_metadata.file_modification_time") > F.lit(datetime.now()))
    .select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
)
totals = (
    words.select("word", F.lit(1).alias("value"))
    .groupBy("word")
    .transformWithState(
        UpdateTotal(),
        outputStructType="word string, total long",
        outputMode="Update",
        timeMode="ProcessingTime",
        initialState=initial.groupBy("key"),
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    (
        batch.select(
            F.concat(F.col("word"), F.lit(" "), F.col("total").cast("string")).alias("value"),
        )
        .show(20, truncate=False)
    )
    batch.unpersist()


query = (
    totals.writeStream.foreachBatch(process_batch)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
