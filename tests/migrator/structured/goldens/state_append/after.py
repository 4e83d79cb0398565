# Needs Spark 4.1 or newer.

"""Keeps the first and last size of long words."""
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor


def first_and_last(sizes, ends):
    if sizes:
        return (ends[0] if ends else sizes[0], sizes[-1])
    return ends


class FirstAndLast(StatefulProcessor):
    """Calls first_and_last for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        self.ends = handle.getValueState("ends", "ends_1 long, ends_2 long")

    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [row.length for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, sizes, timerValues):
        ends = first_and_last(sizes, self.ends.get())
        if ends is None:
            self.ends.clear()
            return
        self.ends.update(ends)
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row(word=key[0], ends_1=ends[0], ends_2=ends[1])


spark = (
    SparkSession.builder.appName("StateAppend")
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
    .select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    .where(~(F.length(F.col("word")) < 4))
    .select("word", F.length(F.col("word")).alias("length"))
)
ends = (
    words.groupBy("word")
    .transformWithState(
        FirstAndLast(),
        outputStructType="word string, ends_1 long, ends_2 long",
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
    ends.writeStream.foreachBatch(process_batch)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
