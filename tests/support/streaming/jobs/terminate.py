"""A job that is told to end while lines wait for their batch: terminate.py MODE PORT."""

import signal
import sys
import threading
import time

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext

mode, port = sys.argv[1], int(sys.argv[2])
conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
conf.set("spark.streaming.stopGracefullyOnShutdown", "false" if mode == "unset" else "true")
conf.set("spark.streaming.gracefulStopTimeout", "100s")
sc = SparkContext(conf=conf.set("spark.log.level", "ERROR"))
# a drain waits for the end of an interval; what ends at once ends before that, which is in 2096
ssc = StreamingContext(sc, {"await": 10, "busy": 10, "impatient": 1}.get(mode, 4_000_000_000))
lines = ssc.socketTextStream("127.0.0.1", port)
shown = []


def show(rdd):
    for line in rdd.collect():
        shown.append(line)
        print("got", line, flush=True)
        if mode == "impatient":
            print("received", flush=True)
            threading.Event().wait(60)


def mine(number, frame):
    print("mine", flush=True)
    sys.exit(7)


lines.foreachRDD(show)
if mode == "handler":
    signal.signal(signal.SIGTERM, mine)
ssc.start()
while ssc._job.inputs[0].count_received() + len(shown) < 2 and mode != "impatient":
    time.sleep(0.05)
try:
    if mode != "impatient":
        print("received", flush=True)
    if mode == "busy":
        while True:
            time.sleep(0.1)
    ssc.awaitTermination()
    print("awaited", flush=True)
finally:
    print("finally", flush=True)
