"""Functions that fail at first, where Spark makes three attempts at a task.

Arguments: "real" or "ours", and a folder for notes of what ran. Prints what outputs had, as JSON.
"""

import json
import sys
import threading
from pathlib import Path

from pyspark import SparkConf, SparkContext

if sys.argv[1] == "ours":
    import dstream_compat

    dstream_compat.install()

from pyspark.streaming import StreamingContext

from dstream_compat.testing import ManualClock

FOLDER = Path(sys.argv[2])
done = threading.Semaphore(0)


def failing(name, times, partition=0):
    """Raise as often as told, in any process."""
    note = FOLDER / name
    with note.open("a") as stream:
        stream.write(f"{partition}\n")
    if len(note.read_text().splitlines()) <= times:
        raise ValueError(f"{name} failed")


def fails(name, times, element, result):
    """Return a function that gives a result unless it fails: it does for one element."""

    def function(*args):
        if element in args:
            failing(name, times)
        return result(*args)

    return function


def shows(name):
    def output(time, rdd):
        try:
            result = sorted(rdd.collect())
        except Exception as error:
            result = f"{name} failed" in str(error)
        print(json.dumps([name, time.timestamp(), result]), flush=True)

    return output


def failing_partition(index, records):
    if index == 2:
        failing("whole", 2, index)
    return records


conf = SparkConf().setMaster("local[2,3]").set("spark.ui.enabled", "false")
conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock").set("spark.log.level", "OFF")
sc = SparkContext(conf=conf)
sc.pythonExec = sys.executable  # DStreams take any python3 of the PATH
sc.setCheckpointDir(str(FOLDER / "checkpoint"))
ssc = StreamingContext(sc, 1)
numbers = ssc.queueStream([sc.parallelize([1, 2, 3, 4, 5, 6], 3), sc.parallelize([7, 8], 2)])
pairs = numbers.map(lambda n: (n % 2, n))
# Each fails in a task of its own: ours has all functions between two shuffles in one task.
numbers.map(fails("map", 2, 3, lambda n: n)).foreachRDD(shows("map"))
numbers.map(fails("always", 99, 7, lambda n: n)).foreachRDD(shows("always"))
numbers.mapPartitionsWithIndex(failing_partition).foreachRDD(shows("whole"))
pairs.updateStateByKey(
    fails("state", 2, [1, 3, 5], lambda new, old: sum(new) + (old or 0))
).foreachRDD(shows("state"))
numbers.foreachRDD(lambda rdd: done.release())
ssc.start()
clock = ManualClock(ssc)
for _ in range(2):
    clock.advance(1)
    assert done.acquire(timeout=300)
ssc.stop()
