"""Pushes to its queue while it runs: the stream, which has copied the queue, never sees that."""
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="QueueFilledLater")
ssc = StreamingContext(sc, 1)
waiting = [sc.parallelize([8, 5, 3], 2)]
nothing = sc.parallelize([0], 1)
numbers = ssc.queueStream(waiting, default=nothing)


def push(rdd):
    left = [number // 2 for number in rdd.collect() if number > 1]
    if left:
        waiting.append(sc.parallelize(left, 2))
    print("left:", left)


numbers.pprint()
numbers.filter(lambda number: number % 2 == 1).count().pprint()
numbers.foreachRDD(push)
ssc.start()
ssc.awaitTermination()
