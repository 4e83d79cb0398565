import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def report(word, count):
    return f"{word:<6}|{count:>3}"


def main(host, port):
    sc = SparkContext(appName="Reports")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(host, port)
    counts = lines.flatMap(lambda line: line.split(" ")).map(lambda w: (w, 1))
    counts = counts.reduceByKey(lambda a, b: a + b)
    counts.map(lambda pair: report(pair[0], pair[1])).pprint(20)
    counts.foreachRDD(save)
    ssc.start()
    ssc.awaitTermination()


def save(rdd):
    for line in sorted(rdd.map(lambda pair: "%s=%05d" % pair).collect()):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
