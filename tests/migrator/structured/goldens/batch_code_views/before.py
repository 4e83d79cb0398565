"""Keeps views of what batches have, which the job asks with SQL."""
from collections import namedtuple

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

Tweet = namedtuple("Tweet", ("tag", "count"))


def show(rdd):
    if not rdd.isEmpty():
        rdd.map(lambda tweet: (tweet.tag,)).toDF(["tag"]).createOrReplaceTempView("tags")
        print(sqlContext.sql("select max(tag) from tags").collect()[0][0])
        print(sqlContext.sql("select sum(count) from tweets").collect()[0][0])


sc = SparkContext(appName="BatchCodeViews")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
words = ssc.socketTextStream("localhost", 9999).flatMap(lambda line: line.split(" "))
counts = words.glom().flatMap(lambda part: part).map(lambda word: (word, 1))
tweets = counts.reduceByKey(lambda a, b: a + b).map(lambda pair: Tweet(*pair))
tweets.foreachRDD(lambda rdd: rdd.isEmpty() or rdd.toDF().createOrReplaceTempView("tweets"))
tweets.foreachRDD(show)
ssc.start()
ssc.awaitTermination()
