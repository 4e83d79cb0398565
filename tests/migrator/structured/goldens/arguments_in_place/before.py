import logging
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

log = logging.getLogger(__name__)


def main():
    sc = SparkContext(appName="Places")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    words = lines.flatMap(lambda line: line.split(" "))
    limit = int(sys.argv[3])

    def report(now, rdd):
        log.info("batch of %s", now)
        total = rdd.count()
        print("%d words" % total, "in %d lengths" % rdd.map(lambda w: len(w)).distinct().count())
        if total > limit:
            lengths = rdd.map(lambda word: (len(word), word)).groupByKey().mapValues(sorted)
            for length, found in sorted(lengths.collect()):
                print(length, found)
            nested = rdd.map(lambda word: ((word, len(word)), 1)).reduceByKey(lambda a, b: a + b)
            print(sorted(nested.collect())[:3])

    words.foreachRDD(report)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
