from collections import namedtuple

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="TopTags")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)

lines = ssc.socketTextStream("127.0.0.1", 9999)

fields = ("tag", "count")
Tweet = namedtuple("Tweet", fields)

(
    lines.flatMap(lambda text: text.split(" "))  # Splits to a list
    .filter(lambda word: word.lower().startswith("#"))  # Checks for hashtags
    .map(lambda word: (word.lower(), 1))  # Lower cases the word
    .reduceByKey(lambda a, b: a + b)
    .map(lambda rec: Tweet(rec[0], rec[1]))  # Stores in a Tweet
    .foreachRDD(
        lambda rdd: rdd.toDF()
        .sort("count", "tag", ascending=False)  # Sorts them
        # the first ten
        .limit(10)
        .show()
    )
)

ssc.start()
ssc.awaitTermination()
