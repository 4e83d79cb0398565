"""A job that ends in an unusual way: ends.py MODE."""

import os
import signal
import sys
import tempfile
import threading
from pathlib import Path

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext

mode = sys.argv[1]
conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
sc = SparkContext(conf=conf.set("spark.log.level", "ERROR"))
ssc = StreamingContext(sc, 0.5)
running = threading.Event()


def tell():
    """Print that the batch is being processed when Spark runs its task."""
    status, pause = sc.statusTracker(), threading.Event()
    while not any(status.getStageInfo(n).numActiveTasks for n in status.getActiveStageIds()):
        pause.wait(0.02)
    running.set()
    print("running", flush=True)


def work(rdd):
    if not running.is_set():
        threading.Thread(target=tell, daemon=True).start()
    rdd.foreach(lambda _: threading.Event().wait(60 if mode != "signals" else 1))


counting = Path(tempfile.mkdtemp()) / "counting"


def count(new, old):
    counting.touch()
    threading.Event().wait(60)


def tell_counting():
    """Print that the batch is being computed: earlier tasks are those that warm workers up."""
    while not counting.exists():
        threading.Event().wait(0.02)
    print("running", flush=True)


if mode == "interrupt-stage":
    ssc.checkpoint(str(counting.parent / "checkpoint"))
    pairs = ssc.queueStream([[("a", 1)]], default=[("b", 1)])
    pairs.updateStateByKey(count).pprint()
    threading.Thread(target=tell_counting, daemon=True).start()
else:
    ssc.queueStream([["a"]], default=["b"]).foreachRDD(work)


def stop(signum, frame):
    os.write(1, b"stopping\n")  # print() fails if the second signal comes while it flushes
    ssc.stop(True, True)
    os.write(1, b"stopped\n")


if mode == "signals":
    signal.signal(signal.SIGTERM, stop)

ssc.start()
if mode == "spark-stops":
    running.wait()
    sc.stop()
ssc.awaitTermination()
print("the end", flush=True)
