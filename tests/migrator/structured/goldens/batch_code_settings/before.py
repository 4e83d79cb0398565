"""Shows what its arguments say, in code of batches."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

debug = len(sys.argv) > 3
sc = SparkContext(appName="BatchCodeSettings")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
if debug:
    # all of them
    words.pprint(3)
counts = words.map(lambda w: (w, divmod(3, 2)[0])).reduceByKey(lambda a, b: a + b)
if len(sys.argv) > 4:
    print("saves", file=sys.stderr)
    counts.saveAsTextFiles(sys.argv[4])
else:
    long = counts.transform(lambda rdd: rdd.sortByKey())
    long.pprint()

    def show(rdd):
        print(rdd.count())

    # others
    counts.foreachRDD(show)
ssc.start()
ssc.awaitTermination()
