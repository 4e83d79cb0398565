"""Prints how often each ad was seen and clicked on, for each interval.

$ spark-submit new.py localhost 9998 9999
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def lines_of(port, kind):
    lines = spark.readStream.format("socket").option("host", host).option("port", port).load()
    return lines.select(F.split("value", " ")[0].alias("ad"), F.lit(kind).alias("kind"))


def process_batch(batch, batch_id):
    views = batch.where("kind = 'view'").groupBy("ad").agg(F.count("*").alias("views"))
    clicks = batch.where("kind = 'click'").groupBy("ad").agg(F.count("*").alias("clicks"))
    counts = views.join(clicks, "ad", "left")
    counts.select("ad", "views", F.coalesce("clicks", F.lit(0)).alias("clicks")).show(
        100, truncate=False
    )


if __name__ == "__main__":
    host, port_of_views, port_of_clicks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    spark = SparkSession.builder.appName("AdViews").getOrCreate()
    # both sources in one query: what came in an interval is in one batch
    events = lines_of(port_of_views, "view").unionByName(lines_of(port_of_clicks, "click"))
    query = (
        events.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    )
    query.awaitTermination()
