"""Reads a file for each batch, and sums up what is in it, as jobs do that are tried out."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def run(folder, names):
    sc = SparkContext(appName="QueueOfFiles")
    ssc = StreamingContext(sc, 1)
    owners = sc.parallelize([("a", "Ann"), ("b", "Bob")], 1).cache()
    broken = sc.accumulator(0)

    def pair(line):
        key, _, value = line.partition("=")
        if not value.isdigit():
            broken.add(1)
            return []
        return [(key, int(value))]

    files = []
    for name in names:
        # one file is a batch
        files.append(sc.textFile("%s/%s" % (folder, name), 1))
    lines = ssc.queueStream(files)
    sums = lines.flatMap(pair).reduceByKey(lambda a, b: a + b)
    sums.transform(lambda rdd: rdd.leftOuterJoin(owners)).pprint()
    sums.foreachRDD(lambda rdd: print(rdd.count(), "keys, broken:", broken.value > 0))
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    run(sys.argv[1], ["one.txt", "two.txt"])
