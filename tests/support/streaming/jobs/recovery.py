"""A stateful job over files that kills itself in the middle of catching up.

Arguments: checkpoint folder, input folder, log file, intervals to run, batch time (seconds) in
whose output to die (0: never), and whether the state is "behind" a function of the driver or
"plain".
"""

from __future__ import annotations

import sys
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import recovery_log


def track(key: str, value: int | None, state: Any) -> tuple[str, int]:
    if state.isTimingOut():
        return key, -state.get()
    state.update((state.getOption() or 0) + (value or 0))
    return key, state.get()


def spark(master: str, partitions: str = "", native: str = "auto") -> SparkContext:
    conf = SparkConf().setMaster(master).setAppName("recovery")
    conf.set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.streaming.compat.native", native)
    if partitions:
        conf.set("spark.streaming.compat.partitions", partitions)
    return SparkContext.getOrCreate(conf)


def setup() -> StreamingContext:
    print("setup was called", flush=True)
    ssc = StreamingContext(spark("local[2]"), 1)
    ssc.checkpoint(sys.argv[1])
    pairs = ssc.textFileStream(sys.argv[2]).flatMap(str.split).map(lambda word: (word, 1))
    if sys.argv[6] == "behind":
        pairs = pairs.transform(lambda rdd: rdd.map(lambda pair: pair))
    pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(recovery_log.counts)
    windows = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 5, 1)
    windows.foreachRDD(recovery_log.windows)
    pairs.window(3, 1).foreachRDD(recovery_log.whole_windows)
    sums = pairs.reduceByKey(lambda a, b: a + b)
    sums.union(sums).window(3, 2).foreachRDD(recovery_log.merged_windows)
    pairs.reduceByKeyAndWindow(max, None, 4, 1).foreachRDD(recovery_log.reduced_windows)
    pairs.mapWithState(StateSpec.function(track).timeout(3)).foreachRDD(recovery_log.expiring)
    tracked = pairs.mapWithState(StateSpec.function(track))
    tracked.stateSnapshots().foreachRDD(recovery_log.snapshots)
    tracked.foreachRDD(recovery_log.tracked)
    return ssc


def main() -> None:
    intervals = int(sys.argv[4])
    if len(sys.argv) > 7:
        spark(*sys.argv[7:])
    ssc = StreamingContext.getOrCreate(sys.argv[1], setup)
    ssc.sparkContext.setLogLevel("OFF")
    ssc.start()
    ManualClock(ssc).advance_to(intervals)
    while not recovery_log.wait(float(intervals), 0.2):
        ssc.awaitTerminationOrTimeout(0.01)
    ssc.stop()
    print("done", flush=True)


if __name__ == "__main__":
    main()
