"""Joins visits with a table, keeps the best of each batch, and writes them."""

import functools
import json
import os

import pyspark
from pyspark.streaming import StreamingContext  # expect: D101

import ranking

sc = pyspark.SparkContext.getOrCreate()
ssc = StreamingContext(sc, 3)
countries = sc.parallelize([("ann", "fr"), ("bob", "de"), ("cy", "fr")], 2)
rates = sc.broadcast({"fr": 2, "de": 3})
visits = ssc.textFileStream("visits").map(json.loads).map(lambda v: (v["user"], v["pages"]))
joined = visits.transform(lambda rdd: rdd.join(countries, 2))  # expect: D802
valued = joined.map(lambda found: (found[1][1], found[1][0] * rates.value[found[1][1]]))
best = ranking.top(valued.reduceByKey(lambda a, b: a + b), 1)
unknown = visits.transform(lambda time, rdd: rdd.subtractByKey(countries))  # expect: D802


def write(folder, time, rdd):
    if rdd.isEmpty():  # expect: D802
        return
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "%d.txt" % time.timestamp())
    with open(path, "w") as file:
        file.writelines("%s %s\n" % pair for pair in rdd.collect())


save = functools.partial(write, "best")
best.foreachRDD(lambda time, rdd: save(time, rdd))
best.pprint(5)
unknown.map(lambda pair: pair[0]).pprint()
ssc.start()
ssc.awaitTermination()
