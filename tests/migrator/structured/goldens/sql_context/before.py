import sys

from pyspark import SparkConf, SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

conf = SparkConf().setAppName("Hashtags")
sc = SparkContext.getOrCreate(conf)
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)


def show_most_used(rdd):
    if rdd.isEmpty():
        return
    sqlContext.createDataFrame(rdd, ["tag", "used"]).registerTempTable("tweets")
    # the most used ones first
    top = sqlContext.sql("select tag, used from tweets order by used desc, tag limit 3")
    top.show()


lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
tags = lines.flatMap(lambda line: line.split(" ")).filter(lambda word: word.startswith("#"))
counts = tags.map(lambda tag: (tag, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(show_most_used)
ssc.start()
ssc.awaitTermination()
