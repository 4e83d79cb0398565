import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

folder = sys.argv[3]
counts, triples, flags, plain = (folder + name for name in ("/counts", "/triples", "/f", "/plain"))

spark = SparkSession.builder.appName("Texts").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
words = lines.select(F.explode(F.split(F.col("value"), " ")).alias("word"))


def process_batch(batch, batch_id):
    (
        batch.groupBy()
        .count()
        .select(F.col("count").cast("string").alias("value"))
        .write.text(f"{counts}-{batch_id}")
    )
    (
        batch.select(
            "word",
            F.length(F.col("word")).alias("length"),
            (F.length(F.col("word")) > 3).alias("field_3"),
        )
        .select(F.udf(lambda *values: str(values))("word", "length", "field_3").alias("value"))
        .write.text(f"{triples}-{batch_id}.txt")
    )
    (
        batch.select((F.length(F.col("word")) > 3).alias("value"))
        .select(F.udf(str)("value").alias("value"))
        .write.text(f"{flags}-{batch_id}")
    )
    batch.write.text(f"{plain}-{batch_id}")


query = words.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
