import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def largest(time, numbers):
    """Prints the largest numbers of a batch."""
    if numbers.count() == 0:
        print("no numbers")
    elif numbers.take(1):
        print("from", numbers.min(), "to", numbers.max())
        print("sum", numbers.sum())
        counted = numbers.map(lambda n: (n, 1)).reduceByKey(lambda a, b: a + b)
        for number, times in counted.takeOrdered(3, key=lambda pair: (-pair[1], pair[0])):
            print(number, times)
        for number, times in sorted(numbers.countByValue().items()):
            print(number, "occurs", times, "times")
        print(numbers.map(lambda n: n * 2).distinct().sortBy(lambda n: -n).first())
    records = numbers.collect()
    print(sorted(records, reverse=True))


sc = SparkContext(appName="Numbers")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.filter(lambda line: line != "").map(lambda line: len(line) % 10).foreachRDD(largest)
ssc.start()
ssc.awaitTermination()
