"""Word totals of a folder, by files; the job ends when it has counted a number of words.

Arguments: checkpoint folder, input folder, words to count. The job needs no other module, so
it runs in cluster mode, too.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime
from typing import Any

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

COUNTED = "COUNTED"


def add(new: list[int], total: int | None) -> int:
    return sum(new) + (total or 0)


def show(time: datetime, rdd: Any) -> None:
    totals = dict(rdd.collect())
    print("batch", round(time.timestamp()), totals, flush=True)
    # a recovered graph has a copy of each global of this module, but there is one environment
    os.environ[COUNTED] = str(sum(totals.values()))


def create() -> Any:
    sc = SparkContext(appName="totals")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[1])
    words = ssc.textFileStream(sys.argv[2]).flatMap(str.split).map(lambda word: (word, 1))
    words.updateStateByKey(add).foreachRDD(show)
    return ssc


def main() -> None:
    ssc = StreamingContext.getOrCreate(sys.argv[1], create)
    ssc.start()
    print("application", ssc.sparkContext.applicationId, flush=True)
    while int(os.environ.get(COUNTED, 0)) < int(sys.argv[3]):
        ssc.awaitTerminationOrTimeout(0.2)
    ssc.stop()
    print("done", flush=True)


if __name__ == "__main__":
    main()
