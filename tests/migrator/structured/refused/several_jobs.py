# JOBS: put each in a file of its own
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def words():
    sc = SparkContext(appName="Words")
    ssc = StreamingContext(sc, 1)
    lines = ssc.textFileStream("words")
    lines.flatMap(lambda line: line.split(" ")).countByValue().pprint()
    return ssc


def numbers():
    sc = SparkContext(appName="Numbers")
    ssc = StreamingContext(sc, 5)
    lines = ssc.textFileStream("numbers")
    lines.filter(lambda line: line.isdigit()).map(int).pprint()
    return ssc


ssc = words() if sys.argv[1] == "words" else numbers()
ssc.start()
ssc.awaitTermination()
