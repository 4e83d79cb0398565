# VIEW: other code makes a view, and may while the job runs
import sys
import time

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
spark = SparkSession(sc)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))


def show(rdd):
    rdd.map(lambda line: (line, 1)).toDF(["line", "one"]).createOrReplaceTempView("lines")
    spark.sql("select * from lines join known using (line)").show()


lines.foreachRDD(show)
spark.read.text("known").toDF("line").createOrReplaceTempView("known")
ssc.start()
while True:
    spark.read.text("known").toDF("line").createOrReplaceTempView("known")
    time.sleep(60)
