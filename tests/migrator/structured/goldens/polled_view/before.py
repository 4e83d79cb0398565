"""The main thread asks for a view that batches replace."""
import sys

from pyspark import SparkContext
from pyspark.sql import Row, SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Polled")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
tags = lines.flatMap(lambda line: line.split(" ")).filter(lambda word: word.startswith("#"))
counts = tags.map(lambda tag: (tag.lower(), 1)).reduceByKey(lambda a, b: a + b)
seen = []


def show(rdd):
    if not rdd.isEmpty():
        rdd.toDF().registerTempTable("tags")
        seen.append(rdd.count())


counts.map(lambda pair: Row(tag=pair[0], count=pair[1])).foreachRDD(show)
ssc.start()
while len(seen) < 2:
    ssc.awaitTerminationOrTimeout(0.1)
ssc.stop(False)
for row in sqlContext.sql("select tag, count from tags order by count desc, tag").collect():
    print(row.tag, row["count"])
