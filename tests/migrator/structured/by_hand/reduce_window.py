"""Counts the words of the last three seconds, every second."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

WINDOW = 3000
SLIDE = 1000


class WindowCounts(StatefulProcessor):
    """Keeps the counts of a word by interval, and gives their sum in each interval."""

    def init(self, handle):
        self.handle = handle
        self.counts = handle.getMapState("counts", "interval long", "count long")

    def handleInputRows(self, key, rows, timerValues):
        interval = timerValues.getCurrentProcessingTimeInMs() // SLIDE * SLIDE
        self.counts.updateValue((interval,), (sum(1 for _ in rows),))
        # a timer of this word may be due as well, and would give the sum again
        for timer in self.handle.listTimers():
            self.handle.deleteTimer(timer)
        yield from self.sum_of_window(key, interval)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        interval = timerValues.getCurrentProcessingTimeInMs() // SLIDE * SLIDE
        yield from self.sum_of_window(key, interval)

    def sum_of_window(self, key, interval):
        counts = {at: count for (at,), (count,) in list(self.counts.iterator())}
        for at in [at for at in counts if at <= interval - WINDOW]:
            self.counts.removeKey((at,))
            del counts[at]
        if counts:
            self.handle.registerTimer(interval + SLIDE)
            yield Row(word=key[0], count=sum(counts.values()))

    def close(self):
        pass


def process_batch(batch, batch_id):
    batch.show(10, truncate=False)


spark = (
    SparkSession.builder.appName("ReduceWindow")
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
words = lines.select(F.explode(F.split(F.trim("value"), r"\s+")).alias("word")).where("word != ''")
counts = words.groupBy("word").transformWithState(
    statefulProcessor=WindowCounts(),
    outputStructType="word string, count long",
    outputMode="Append",
    timeMode="ProcessingTime",
)
query = counts.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
