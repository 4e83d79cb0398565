"""A batch asks for its view, and so does the main thread."""
import sys

from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Beside")
session = SparkSession(sc)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
seen = []


def show(rdd):
    if not rdd.isEmpty():
        frame = session.createDataFrame(rdd.map(lambda pair: Row(word=pair[0], count=pair[1])))
        frame.createOrReplaceTempView("words")
        seen.append(session.sql("select sum(count) from words").first()[0])


counts.foreachRDD(show)
ssc.start()
while len(seen) < 2:
    ssc.awaitTerminationOrTimeout(0.1)
ssc.stop(False)
print(seen)
for row in session.sql("select word, count from words order by word").collect():
    print(row.word, row["count"])
