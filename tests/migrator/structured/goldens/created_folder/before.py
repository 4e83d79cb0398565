"""Goes on from a folder that only `getOrCreate` is given."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create(source):
    sc = SparkContext(appName="CreatedFolder")
    ssc = StreamingContext(sc, 1)
    words = ssc.textFileStream(source).flatMap(lambda line: line.split(" "))
    words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()
    return ssc


if __name__ == "__main__":
    source, checkpoint = sys.argv[1:]
    ssc = StreamingContext.getOrCreate(checkpoint, lambda: create(source))
    ssc.start()
    ssc.awaitTermination()
