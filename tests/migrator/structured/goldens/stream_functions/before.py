"""Words and their counts, by functions that are given streams."""
from pyspark import SparkConf, SparkContext
from pyspark.rdd import RDD
from pyspark.streaming import StreamingContext
import sys

HOST = "localhost"


def make_conf(name):
    conf = SparkConf().setAppName(name)
    conf.set("spark.ui.enabled", "false")  # no page
    return conf


# words of lines
def split(lines: RDD):
    """The words."""
    # by spaces
    words = lines.flatMap(lambda line: line.split(" "))
    return words.filter(lambda word: word)


def count(stream, number=5):
    counts = stream.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b)
    counts.pprint(number)


def main(ssc, port):
    lines = ssc.socketTextStream(HOST, port)
    words = split(lines)
    count(words)
    shown = split(lines.filter(lambda x: "a" in x)).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    conf = make_conf("StreamFunctions")
    sc = SparkContext(conf=conf)
    ssc = StreamingContext(sc, 1)
    main(ssc, int(sys.argv[2]))
