"""Keeps what each user has visited, as dicts."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def visit(line):
    user, page = line.split(",")
    return user, {page: 1}


def add_visits(new, visits):
    visits = dict(visits or {})
    for pages in new:
        for page, count in pages.items():
            visits[page] = visits.get(page, 0) + count
    # who has seen "exit" is forgotten
    return None if "exit" in visits else visits


def report(rdd):
    print("users", rdd.count(), sorted((user, sorted(pages)) for user, pages in rdd.collect()))


sc = SparkContext(appName="BatchState")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
known = sc.parallelize([("Ann", {"home": 7}), ("Bob", {"home": 1})])

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
# since the start
visits = lines.map(visit).updateStateByKey(add_visits, initialRDD=known)
visits.pprint(20)
visits.filter(lambda pair: len(pair[1]) > 1).foreachRDD(report)

ssc.start()
ssc.awaitTermination()
