import sys
from collections import namedtuple
from typing import NamedTuple

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

FIELDS = ("tag", "count")
Tag = namedtuple("Tag", FIELDS)


class Tweet(NamedTuple):
    """A line of the stream."""

    user: str
    text: str


sc = SparkContext(appName="Tags")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
parts = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).map(lambda line: line.split(": "))
# a line is "<user>: <text>"
tweets = parts.filter(lambda each: len(each) == 2).map(lambda each: Tweet(each[0], text=each[1]))
tweets.filter(lambda tweet: tweet.user != "root").pprint()


def report(rdd):
    for tweet in sorted(rdd.collect()):
        print(tweet, tweet._asdict())
    for user, text in sorted(rdd.collect()):
        print(user, text)
    for tweet in sorted(rdd.collect(), key=lambda each: each.text):
        print(tweet.user)


def show(rdd):
    if not rdd.isEmpty():
        rdd.toDF().sort("count", ascending=False).registerTempTable("tags")
        sqlContext.sql("SELECT tag, count FROM tags WHERE count > 1").show()
        for tag in rdd.sortBy(lambda each: (-each.count, each.tag)).take(2):
            print(tag.tag, tag.count)


tweets.foreachRDD(report)
(
    tweets.flatMap(lambda tweet: tweet.text.split(" "))
    .filter(lambda word: word.startswith("#"))
    .map(lambda word: (word, 1))
    .reduceByKey(lambda a, b: a + b)
    .map(lambda rec: Tag(*rec))
    .foreachRDD(show)
)
ssc.start()
ssc.awaitTermination()
