"""
Mean temperature of each room from a queue of recorded batches: a way to try a job out without
any source. Ends by itself when the last batch has been seen.

    $ spark-submit queue_stream.py [number of batches]
"""
from __future__ import print_function

import sys
import threading

from pyspark import SparkContext
from dstream_compat import StreamingContext

ROOMS = ["attic", "cellar", "kitchen"]


def reading(i):
    return (ROOMS[i % len(ROOMS)], 15.0 + i % 8)


batches = int(sys.argv[1]) if len(sys.argv) > 1 else 5
done = threading.Event()
seen = 0


def progress(rdd):
    global seen
    if not rdd.isEmpty():
        seen += 1
    if seen >= batches:
        done.set()


sc = SparkContext(appName="QueueStream")
sc.setLogLevel("ERROR")
ssc = StreamingContext(sc, 0.5)

queue = []
for b in range(batches):
    queue.append(sc.parallelize([reading(i) for i in range(b * 10, b * 10 + 10)], 3))

readings = ssc.queueStream(queue)
means = readings.combineByKey(lambda t: (t, 1),
                              lambda acc, t: (acc[0] + t, acc[1] + 1),
                              lambda a, b: (a[0] + b[0], a[1] + b[1])) \
                .mapValues(lambda acc: round(acc[0] / acc[1], 2))
means.pprint()
readings.map(lambda r: r[1]).reduce(max).map(lambda t: "warmest: %.1f" % t).pprint()
readings.foreachRDD(progress)

ssc.start()
done.wait()
ssc.stop(True, True)
print("%d batches seen" % seen)
