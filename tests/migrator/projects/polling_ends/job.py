import signal
import threading

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

DONE = threading.Event()
TOTALS = {}

sc = SparkContext(appName="polling")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9011)
pairs = lines.map(lambda line: line.split("=")).map(lambda kv: (kv[0], int(kv[1])))


def collect(rdd):
    for key, value in rdd.collect():  # expect: D802
        TOTALS[key] = TOTALS.get(key, 0) + value
        if key == "quit":
            DONE.set()


def finish(signum, frame):
    DONE.set()


pairs.reduceByKey(lambda a, b: a + b).foreachRDD(collect)
signal.signal(signal.SIGINT, finish)
signal.signal(signal.SIGTERM, finish)
ssc.start()
while True:
    if ssc.awaitTerminationOrTimeout(0.2):
        break
    if DONE.is_set():
        ssc.stop(stopSparkContext=True, stopGraceFully=True)
        break
print(sorted(TOTALS.items()))
