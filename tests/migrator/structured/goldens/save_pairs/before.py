"""
Word counts of every batch as text files, one folder per batch, and the most frequent words on
the screen.

    $ spark-submit save_to_files.py localhost 9999 /data/wordcount 3600

The last argument ends the job after that many seconds; without it the job runs until it is
killed.
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def by_frequency(rdd):
    return rdd.sortBy(lambda kv: (-kv[1], kv[0]))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        print("Usage: save_to_files.py <hostname> <port> <output prefix> [seconds]",
              file=sys.stderr)
        sys.exit(-1)
    prefix = sys.argv[3]

    sc = SparkContext(appName="SaveToFiles")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 2)

    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    counts = lines.flatMap(lambda line: line.split()) \
                  .map(lambda word: (word, 1)) \
                  .reduceByKey(lambda a, b: a + b)
    counts.saveAsTextFiles(prefix, "txt")
    counts.transform(by_frequency).pprint(8)

    ssc.start()
    if len(sys.argv) == 5:
        ssc.awaitTerminationOrTimeout(int(sys.argv[4]))
        ssc.stop(stopSparkContext=True, stopGraceFully=True)
    else:
        ssc.awaitTermination()
