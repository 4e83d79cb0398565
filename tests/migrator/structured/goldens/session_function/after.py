# Needs Spark 3.3 or newer.

"""Makes its session in a function that keeps it, of settings that are at the top."""
from pyspark import SparkConf
from pyspark.sql import Row, SparkSession

CONF = SparkConf().setAppName("SessionFunction").set("spark.sql.caseSensitive", "true")


def get_session(conf):
    if "session" not in globals():
        globals()["session"] = (
            SparkSession.builder
            .config(conf=conf)
            .getOrCreate()
        )
    return globals()["session"]


def process(rdd):
    if rdd.isEmpty():
        return
    spark = get_session(rdd.context.getConf())
    rows = rdd.glom().flatMap(lambda part: part).map(lambda line: Row(line=line, size=len(line)))
    spark.createDataFrame(rows).createOrReplaceTempView("lines")
    print(spark.sql("select max(size) from lines").collect()[0][0])
    print(spark.conf.get("spark.sql.caseSensitive"))


def process_batch(batch, batch_id):
    process(batch.rdd.map(lambda row: row.value))


def main():
    spark = get_session(CONF)
    lines = (
        spark.readStream.format("socket")
        .option("host", "localhost")
        .option("port", 9999)
        .option("numPartitions", 1)
        .load()
    )
    query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    query.awaitTermination()


if __name__ == "__main__":
    main()
