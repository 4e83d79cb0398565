"""Runs until the metrics of three batches are in a file of the folder that is given."""

import sys
import time
from pathlib import Path

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

NAME = "*.StreamingMetrics.streaming.totalCompletedBatches.csv"
sc = SparkContext(appName="metrics")
ssc = StreamingContext(sc, 1)
ssc.queueStream([["a", "b", "c"]]).count().pprint()
ssc.start()
until = time.monotonic() + 60
while time.monotonic() < until:
    files = list(Path(sys.argv[1]).glob(NAME))
    lines = files[0].read_text().splitlines()[1:] if files else []
    if any(int(line.split(",")[1]) >= 3 for line in lines):
        break
    ssc.awaitTerminationOrTimeout(0.2)
ssc.stop()
