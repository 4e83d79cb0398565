"""Functions that other functions make, each once."""
import sys
from functools import partial
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def make_parser(separator):
    def parse(line):
        return line.split(separator)
    return parse


def save_to(name):
    print("saves to", name)

    def save(rdd):
        print(name, rdd.collect())
    return save


sc = SparkContext(appName="BatchCodeClosures")
ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream(sys.argv[1])
words = lines.flatMap(make_parser(",")).filter(partial(str.__len__)).map(make_parser(";"))
words.foreachRDD(save_to("words"))
words.count().pprint()
ssc.start()
ssc.awaitTermination()
