"""Makes its session in a function that keeps it, of settings that are at the top."""
from pyspark import SparkConf
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext

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


def main():
    spark = get_session(CONF)
    ssc = StreamingContext(spark.sparkContext, 1)
    ssc.socketTextStream("localhost", 9999).foreachRDD(process)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
