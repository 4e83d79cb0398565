# Needs Spark 3.3 or newer.

import sys
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder = sys.argv[3]
counts, triples, flags, plain = (folder + name for name in ("/counts", "/triples", "/f", "/plain"))

spark = SparkSession.builder.appName("Texts").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .option("numPartitions", 1)
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    (
        batch.groupBy()
        .count()
        .select(F.col("count").cast("string").alias("value"))
        .write.text(f"{counts}-{int(datetime.now().timestamp() * 1000)}")
    )
    (
        batch.select(
            "word",
            F.length(F.col("word")).alias("length"),
            (F.length(F.col("word")) > 3).alias("field_3"),
        )
        .select(F.udf(lambda *values: str(values))("word", "length", "field_3").alias("value"))
        .write.text(f"{triples}-{int(datetime.now().timestamp() * 1000)}.txt")
    )
    (
        batch.select((F.length(F.col("word")) > 3).alias("value"))
        .select(F.udf(str)("value").alias("value"))
        .write.text(f"{flags}-{int(datetime.now().timestamp() * 1000)}")
    )
    batch.write.text(f"{plain}-{int(datetime.now().timestamp() * 1000)}")


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
