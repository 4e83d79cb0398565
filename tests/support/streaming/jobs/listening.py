"""A job with a source of Spark's own and a Streaming tab, which runs until its input ends.

Prints "ready" when a batch has run.
"""

from __future__ import annotations

import sys
from typing import Any

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import DStream, StreamingContext


def main() -> None:
    sc = SparkContext(appName="listening")
    ssc = StreamingContext(sc, 1)
    rows = SparkSession.builder.getOrCreate().readStream.format("rate").load()

    def say(rdd: Any) -> None:
        print("ready", rdd.count(), flush=True)

    DStream.from_dataframe(rows, ssc).map(str).foreachRDD(say)  # type: ignore[attr-defined]
    ssc.start()
    sys.stdin.read()
    ssc.stop()


if __name__ == "__main__":
    main()
