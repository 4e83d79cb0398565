# Needs Spark 4.0 or newer.

"""Tags and pages of visitors, whose events are JSON texts; the code tells their shape."""
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE_CHARACTERS = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)

spark = SparkSession.builder.appName("JsonUses").getOrCreate()
lines = (
    spark.readStream.format("socket")
    .option("host", sys.argv[1])
    .option("port", int(sys.argv[2]))
    .load()
)
events = lines.select(
    F.coalesce(
        F.from_json(
            F.col("value"),
            "struct<type: string, user: struct<country: string>, page: struct<tags: array<struct<name: string>>>, referrer: string>",
            {"mode": "FAILFAST", "allowSingleQuotes": "false"},
        ),
        F.raise_error("not JSON of the given shape"),
    ).alias("event"),
)


def process_batch(batch, batch_id):
    views = batch.where(
        F.coalesce(
            F.col("event")["type"],
            F.raise_error("no value of the given shape at the key 'type'"),
        ) == "view",
    )
    # where the visitors are
    (
        views.select(
            F.coalesce(
                F.coalesce(
                    F.col("event")["user"],
                    F.raise_error("no value of the given shape at the key 'user'"),
                )["country"],
                F.raise_error("no value of the given shape at the key 'country'"),
            ).alias("country"),
        )
        .groupBy(
            F.when(F.col("country").isin("DE", "AT", "CH"), "dach").otherwise(
                F.replace(
                    F.btrim(F.col("country"), F.lit(WHITESPACE_CHARACTERS)),
                    F.lit(" "),
                    F.lit("-"),
                ),
            ).alias("key"),
        )
        .count()
        .show(10, truncate=False)
    )
    # what they look at
    (
        views.select(
            F.explode(
                F.transform(
                    F.coalesce(
                        F.coalesce(
                            F.col("event")["page"],
                            F.raise_error("no value of the given shape at the key 'page'"),
                        )["tags"],
                        F.raise_error("no value of the given shape at the key 'tags'"),
                    ),
                    lambda tag: F.split(
                        F.coalesce(
                            tag["name"],
                            F.raise_error("no value of the given shape at the key 'name'"),
                        ),
                        ":",
                    )[0],
                ),
            ).alias("item"),
        )
        .groupBy("item")
        .count()
        .show(10, truncate=False)
    )
    (
        batch.groupBy(
            F.when(
                F.col("event")["referrer"].isNotNull() & (F.col("event")["referrer"] != ""),
                F.col("event")["referrer"],
            ).otherwise("direct").alias("referrer"),
        )
        .count()
        .show(10, truncate=False)
    )


query = events.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
