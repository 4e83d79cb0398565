import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Operators")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)


def most_frequent(time, rdd):
    # the most frequent first
    swapped = rdd.map(lambda pair: (pair[1], pair[0]))
    return swapped.sortBy(lambda pair: pair, False)


counts.transform(most_frequent).pprint(3)
counts.transform(lambda rdd: rdd.sortByKey()).pprint()
counts.transform(lambda rdd: rdd.sortByKey(ascending=False).keys()).pprint()
words.transform(lambda rdd: rdd.distinct().sortBy(lambda word: (len(word), word))).pprint(20)
words.count().map(lambda n: "%d words" % n).pprint()
ssc.start()
ssc.awaitTermination()
