"""Fills its queue in a function, and stops when it has seen all batches."""
import threading

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

done = threading.Event()
totals = []


def readings(sc, count):
    return [sc.parallelize([(n % 3, float(n)) for n in range(at, at + 4)], 2) for at in range(count)]


def keep(rdd):
    totals.append(rdd.map(lambda pair: pair[1]).sum())
    print("total", totals[-1])
    if len(totals) > 3:
        done.set()


def build(sc, count):
    ssc = StreamingContext(sc, 1)
    stream = ssc.queueStream(readings(sc, count))
    means = stream.combineByKey(
        lambda value: (value, 1),
        lambda one, value: (one[0] + value, one[1] + 1),
        lambda one, other: (one[0] + other[0], one[1] + other[1]),
    ).mapValues(lambda sums: sums[0] / sums[1])
    means.pprint()
    stream.glom().map(len).pprint()
    stream.foreachRDD(keep)
    return ssc


def main():
    sc = SparkContext("local[2]", "QueueInFunctions")
    ssc = build(sc, 2)
    ssc.start()
    done.wait()
    ssc.stop(stopSparkContext=True, stopGraceFully=False)


main()
