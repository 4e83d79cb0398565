"""Word totals whose executors come when there is work; it says how many partitions there are.

Argument: checkpoint folder.
"""

from __future__ import annotations

import sys
from typing import Any

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

seen: list[Any] = []


def main() -> None:
    sc = SparkContext(appName="grown")
    print("registered", sc.defaultParallelism, flush=True)
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[1])
    words = ssc.queueStream([["a b c d"] * 10] * 3).flatMap(str.split).map(lambda word: (word, 1))
    totals = words.updateStateByKey(lambda new, old: sum(new) + (old or 0))
    totals.foreachRDD(lambda rdd: seen.append(rdd.getNumPartitions()))
    ssc.start()
    while len(seen) < 3:
        ssc.awaitTerminationOrTimeout(0.2)
    totals.explain()
    ssc.stop()
    print("partitions", seen[-1], flush=True)


if __name__ == "__main__":
    main()
