"""Puts the RDDs of two queues together: joins, unions and pairs of them."""
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="QueueJoined")
ssc = StreamingContext(sc, 1)

prices = [sc.parallelize(each, 2) for each in ([("apple", 3), ("pear", 4)], [("apple", 5)])]
orders = [
    # the first batch
    sc.parallelize([("apple", 2), ("pear", 1), ("fig", 9)], 2),
    sc.parallelize([("apple", 1), ("apple", 7)], 1),
    sc.parallelize([("pear", 8)], 1),
]
priced = ssc.queueStream(prices, True, sc.parallelize([("pear", 1)], 1))
ordered = ssc.queueStream(orders)

# what is to be paid
bills = ordered.join(priced).mapValues(lambda pair: pair[0] * pair[1])
bills.reduceByKey(lambda a, b: a + b).foreachRDD(lambda rdd: print("paid", sorted(rdd.collect())))
ssc.union(ordered.map(tuple), priced.map(tuple)).groupByKey().mapValues(sorted).foreachRDD(
    lambda rdd: print("all", sorted(rdd.collect()))
)
ordered.transformWith(lambda one, other: one.subtractByKey(other), priced).pprint()

print("batches of orders:", len(orders), "and of prices:", len(prices))
ssc.start()
ssc.awaitTermination()
