# Needs Spark 3.3 or newer.

"""Works with tables through a SQLContext that the whole job shares."""
from operator import add

from pyspark.sql import SparkSession

spark = SparkSession.builder.appName("BatchCodeTables").getOrCreate()
spark.conf.set("spark.sql.caseSensitive", "true")
spark.udf.register("twice", lambda text: text * 2)


def process(rdd):
    if rdd.isEmpty():
        return
    whole = rdd.zipWithIndex().map(lambda pair: pair[0]).reduce(add)
    spark.createDataFrame([(whole,)], ["line"]).createOrReplaceTempView("batch")
    print([table.name for table in spark.catalog.listTables()])
    spark.catalog.cacheTable("batch")
    print(spark.sql("select twice(line) as twice from batch").collect()[0][0])
    spark.catalog.uncacheTable("batch")
    spark.catalog.dropTempView("batch")
    print(spark.conf.get("spark.sql.caseSensitive"))


lines = (
    spark.readStream.format("socket")
    .option("host", "localhost")
    .option("port", 9999)
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    process(batch.rdd.map(lambda row: row.value))


query = lines.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
