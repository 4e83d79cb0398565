# Needs Spark 4.1 or newer.

"""Keeps the average length of the words of each first letter."""
import sys
from datetime import datetime

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def average(sizes, stats):
    if not sizes:
        return stats
    total, number = (stats[0], stats[1]) if stats else (0, 0)
    total += sum(sizes)
    number += len(sizes)
    return total, number, total / number


class Average(StatefulProcessor):
    """Calls average for each key in every batch: a timer wakes keys without new values."""

    def init(self, handle):
        self.handle = handle
        self.stats = handle.getValueState("stats", "stats_1 long, stats_2 long, stats_3 double")

    def handleInputRows(self, key, rows, timerValues):
        for timer in list(self.handle.listTimers()):
            self.handle.deleteTimer(timer)
        return self.updated(key, [row.length for row in rows], timerValues)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        return self.updated(key, [], timerValues)

    def updated(self, key, sizes, timerValues):
        stats = average(sizes, self.stats.get())
        if stats is None:
            self.stats.clear()
            return
        self.stats.update(stats)
        self.handle.registerTimer(timerValues.getCurrentProcessingTimeInMs() + 1)
        yield Row(key=key[0], stats_1=stats[0], stats_2=stats[1], stats_3=stats[2])


spark = (
    SparkSession.builder.appName("StateAverage")
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
averages = (
    words.groupBy("key")
    .transformWithState(
        Average(),
        outputStructType="key string, stats_1 long, stats_2 long, stats_3 double",
        outputMode="Update",
        timeMode="ProcessingTime",
    )
)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.select("key", "stats_3").show(20, truncate=False)
    batch.unpersist()


query = (
    averages.writeStream.foreachBatch(process_batch)
    .outputMode("update")
    .trigger(processingTime="1 second")
    .start()
)
query.awaitTermination()
