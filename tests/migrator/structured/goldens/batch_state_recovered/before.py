"""Keeps the last events of each machine, and goes on where it was stopped."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

LAST = 3


def parse(line):
    event = json.loads(line)
    yield event.pop("machine"), event


def last_events(new, events):
    return ((events or []) + new)[-LAST:]


def create(folder, checkpoint):
    sc = SparkContext(appName="BatchStateRecovered")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    events = ssc.textFileStream(folder).flatMap(parse)
    machines = events.updateStateByKey(last_events).checkpoint(10)
    machines.mapValues(json.dumps).pprint(30)
    machines.map(lambda pair: (pair[0], len(pair[1]))).saveAsTextFiles("out/machines")
    return ssc


ssc = StreamingContext.getOrCreate(sys.argv[2], lambda: create(sys.argv[1], sys.argv[2]))
ssc.start()
ssc.awaitTermination()
