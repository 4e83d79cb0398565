# Needs Spark 4.0 or newer.

"""Sends what it reads from Kafka somewhere else, by partition."""
import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F


def main(brokers):
    spark = SparkSession.builder.appName("BatchCodeKafka").getOrCreate()
    stream = (
        spark.readStream.format("kafka")
        .option("kafka.bootstrap.servers", brokers)
        .option("subscribe", "orders")
        .load()
        .select(
            F.decode(F.col("key"), "UTF-8").alias("key"),
            F.decode(F.col("value"), "UTF-8").alias("value"),
        )
    )

    def process_batch(batch, batch_id):
        stream = batch.rdd.map(lambda row: (row.key, row.value))
        orders = stream.mapValues(json.loads).cache()
        forward(orders)
        records = orders.map(lambda pair: pair[1])
        for record in records.take(11)[:10]:
            print(record)
        orders.unpersist()

    def send(rows):
        with open("sent.log", "a") as log:
            for key, order in rows:
                log.write("%s %s\n" % (key, sorted(order.items())))

    def forward(rdd):
        if not rdd.isEmpty():
            rdd.foreachPartition(send)

    query = (
        stream.writeStream.foreachBatch(process_batch)
        .trigger(processingTime="1 second")
        .start()
    )
    query.awaitTermination()


if __name__ == "__main__":
    main(sys.argv[1])
