from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def count(lines):
    return lines.flatMap(lambda line: line.split()).countByValue()


def make(sc, port):
    ssc = StreamingContext(sc, 1)
    count(ssc.socketTextStream("localhost", port)).pprint()
    return ssc


if __name__ == "__main__":
    ssc = make(SparkContext(appName="patched"), 9010)
    ssc.start()
    ssc.awaitTermination()
