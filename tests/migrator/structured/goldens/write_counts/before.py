import os
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

COMMON = ["a", "the"]


def main(host, port, output):
    sc = SparkContext(conf=SparkConf().setAppName("WriteCounts"))
    ssc = StreamingContext(sc, 1)

    pairs = ssc.socketTextStream(host, port) \
               .flatMap(lambda line: line.split()) \
               .map(lambda word: (word, 1))

    def write_counts(time, rdd):
        """Appends the counts of a batch to a file."""

        def keep(kv):
            # common words say nothing
            return kv[0] not in COMMON

        counts = rdd.filter(keep).collect()
        if counts:
            with open(os.path.join(output, "counts.txt"), "a") as f:
                for word, count in sorted(counts):
                    f.write("%s\t%d\n" % (word, count))

    pairs.reduceByKey(lambda a, b: a + b).foreachRDD(write_counts)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
