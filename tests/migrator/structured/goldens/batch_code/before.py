"""Keeps the code of its batches: functions of partitions, sorted RDDs, and a total of the driver."""
import json
import sys
from collections import Counter

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

total = Counter()


class Event:
    def __init__(self, fields):
        self.user = fields.get("user", "nobody")
        self.value = fields.get("value", 0)


def parse(line):
    try:
        return [Event(json.loads(line))]
    except ValueError:
        return []


def add_up(rdd):
    global total
    for user, value in sorted(rdd.collect()):
        total[user] += value
    print("total", sorted(total.items()))


def show(time, rdd):
    print("batch of", time)
    for at, (user, value) in rdd.zipWithIndex().map(lambda pair: (pair[1], pair[0])).collect():
        print(at, user, value)


sc = SparkContext("local[2]", "BatchCode")
ssc = StreamingContext(sc, 1)
names = sc.broadcast({"a": "Ann"})  # of users
known = sc.parallelize([("Ann", 1), ("Bob", 2)])

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
# one bad line is no reason to stop
events = lines.flatMap(parse)
values = events.map(lambda e: (names.value.get(e.user, e.user), e.value)) \
    .reduceByKey(lambda a, b: a + b)

values.transform(lambda rdd: rdd.sortBy(lambda pair: (-pair[1], pair[0]))).pprint(2)
values.foreachRDD(add_up)
(values
    .transform(lambda rdd: rdd.join(known))  # who is known
    .mapValues(lambda pair: pair[0] * pair[1])
    .foreachRDD(lambda rdd: print("known", sorted(rdd.collect()))))
values.transform(lambda time, rdd: rdd.sortByKey()).foreachRDD(show)
lines.count().pprint()
lines.map(len).reduce(max).pprint()
lines.map(lambda line: line[:1]).countByValue().mapPartitions(sorted).glom().foreachRDD(
    lambda rdd: print("first", sorted(sum(rdd.collect(), [])))
)

ssc.start()
ssc.awaitTermination()
