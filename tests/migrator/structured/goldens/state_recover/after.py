# Needs Spark 4.1 or newer.

"""Counts words; "word!" forgets a word. It goes on after a crash."""
import sys

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"

KNOWN_BEFORE = [("spark", 100), ("storm", 3)]


def update_total(new_values, total):
    total = total or 0
    for value in new_values:
        if value is None:
            total = 0
        else:
            total += value
    return total if total > 0 else None


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
        yield Row(key=key[0], total=total)


def process_batch(batch, batch_id):
    # the whole batch: Spark saves the state that is computed, and show() reads a part
    batch.persist().count()
    batch.show(50, truncate=False)
    batch.unpersist()


def create_context(folder, checkpoint):
    # runs only when the checkpoint folder is empty
    spark = (
        SparkSession.builder.appName("StateRecover")
        .config(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        )
        .getOrCreate()
    )
    initial = spark.createDataFrame(KNOWN_BEFORE, ["key", "value"])
    lines = spark.readStream.text(folder)
    totals = (
        lines.select(
            F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("token"),
        )
        .select(
            F.when(
                F.col("token").endswith("!"),
                F.lower(F.substring(F.col("token"), 1, F.length(F.col("token")) - 1)),
            ).otherwise(F.lower(F.col("token"))).alias("key"),
            F.when(F.col("token").endswith("!"), None).otherwise(1).alias("value"),
        )
        .groupBy("key")
        .transformWithState(
            UpdateTotal(),
            outputStructType="key string, total long",
            outputMode="Update",
            timeMode="ProcessingTime",
            initialState=initial.groupBy("key"),
        )
    )
    return (
        totals.writeStream.foreachBatch(process_batch)
        .outputMode("update")
        .option("checkpointLocation", checkpoint + "/state_recover")
        .trigger(processingTime="1 second")
    )


def main(argv):
    folder, checkpoint = argv[1], argv[2]
    writer = create_context(folder, checkpoint)
    query = writer.start()
    query.awaitTermination()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
