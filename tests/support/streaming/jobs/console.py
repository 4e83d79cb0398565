"""A job with state and windows, for what it prints: console.py MODE FOLDER.

``quiet`` runs one context after another, the second one with the log level INFO; ``failing`` has a
function that fails, and a level of its own for a logger of Spark.
"""

import sys
import time

from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext

STATE_SERVER = (
    "org.apache.spark.sql.execution.python.streaming.TransformWithStateInPySparkStateServer"
)
BATCHES = 4
DEADLINE = 100


def total(values, known):
    return sum(values) + (known or 0)


def latest(key, value, state):
    if not state.isTimingOut():
        state.update(value)
    return key


def fail(pair):
    raise ValueError("of the job")


def count(at, rdd):
    rdd.count()
    seen.append(at)


def run(sc, folder):
    seen.clear()
    ssc = StreamingContext(sc, 0.5)
    ssc.checkpoint(folder)
    pairs = ssc.queueStream([[("a", 1), ("b", 2)], [("a", 3)], [("c", 4)]])
    pairs.updateStateByKey(total).foreachRDD(count)
    pairs.mapWithState(StateSpec.function(latest).timeout(1)).foreachRDD(lambda rdd: rdd.count())
    window = pairs.reduceByKeyAndWindow(int.__add__, int.__sub__, 1, 0.5)
    (window.map(fail) if mode == "failing" else window).foreachRDD(lambda rdd: rdd.count())
    ssc.start()
    try:
        if mode == "failing":
            ssc.awaitTermination(DEADLINE)
        begun = time.monotonic()
        while len(seen) < BATCHES:  # an event cannot be saved with the functions that set it
            assert time.monotonic() < begun + DEADLINE
            time.sleep(0.05)
    finally:
        ssc.stop(False, mode == "quiet")


mode, folder = sys.argv[1:]
seen = []
sc = SparkContext("local[1]", "console")
if mode == "failing":
    log4j = sc._jvm.org.apache.logging.log4j
    log4j.core.config.Configurator.setLevel(STATE_SERVER, log4j.Level.WARN)
    run(sc, f"{folder}/failing")
for level in ("WARN", "INFO") if mode == "quiet" else ():
    sc.setLogLevel(level)
    print(f"== {level} ==", file=sys.stderr, flush=True)
    run(sc, f"{folder}/{level}")
    sc.setLogLevel("WARN")
    print("== end ==", file=sys.stderr, flush=True)
