import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main():
    sc = SparkContext(appName="Chains")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))

    def process(rdd):
        if not rdd.isEmpty():
            # words, and how often they occur
            counts = (
                rdd.flatMap(lambda line: line.split(" "))
                .map(lambda word: (word, 1))
                # one by one
                .reduceByKey(lambda a, b: a + b)
            )
            counts.cache()
            print("different words:", counts.count())
            print("most frequent:", counts.top(1, key=lambda pair: pair[1]))
            print("all:", sorted(counts.map(lambda pair: pair[0]).collect()))
            print("as a dict:", sorted(counts.collectAsMap().items()))
            print("longest:", rdd.map(lambda line: len(line)).max(), rdd.map(len).sum())
            for pair in counts.sortByKey(False).take(2):
                print(pair)
            counts.unpersist()

    lines.foreachRDD(process)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
