# STATE_TYPE: `Stats` is no constant or function of this file
import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


class Stats(object):
    total = 0


def update(new, stats):
    stats = stats or Stats()
    return stats


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
pairs = lines.map(lambda line: (line[:1], len(line)))
pairs.updateStateByKey(update).pprint()
ssc.start()
ssc.awaitTermination()
