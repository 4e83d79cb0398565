# Needs Spark 3.3 or newer.

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main():
    spark = SparkSession.builder.appName("Words").getOrCreate()
    words = (
        spark.readStream.format("socket")
        .option("host", "localhost")
        .option("port", 9999)
        .option("numPartitions", 1)
        .load()
        .select(F.explode(F.split(F.col("value"), " ")).alias("word"))
    )
    rows = (
        words.where(F.col("word") != "")
        .select(
            F.when(F.col("word").startswith("#"), "tag").otherwise("word").alias("kind"),
            F.col("word").alias("text"),
            F.when(F.col("word").startswith("#"), F.length(F.col("word")) - 1).otherwise(
                F.length(F.col("word")),
            ).alias("letters"),
        )
    )

    def process_batch(batch, batch_id):
        batch.show(3, truncate=False)
        process(batch)

    def process(batch):
        if batch.isEmpty():
            return
        frame = batch.select("kind", "text", F.col("letters").cast("long").alias("letters"))
        frame.groupBy("kind").sum("letters").show()
        frame2 = batch.select(
            F.col("kind").alias("a"),
            F.col("text").alias("b"),
            F.col("letters").cast("long").alias("c"),
        )
        frame2.orderBy("b").show()
        for row in sorted(batch.collect()):
            print(row, row.asDict())
        names = batch.where(F.col("letters") > 3)
        print(sorted(tuple(row) for row in names.select("text", "kind").collect()))

    query = rows.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()


main()
