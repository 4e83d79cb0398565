"""Asks its settings for one, and gets some from the command line."""
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

conf = SparkConf().set("spark.streaming.backpressure.enabled", "true")
for pair in sys.argv[1:]:
    conf.set(*pair.split("="))
print(conf.get("spark.words", "none"))
sc = SparkContext(appName="SettingsKept", conf=conf)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
words = lines.flatMap(lambda line: line.split("|"))
words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()
ssc.start()
ssc.awaitTermination()
