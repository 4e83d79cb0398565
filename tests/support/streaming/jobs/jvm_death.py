"""A job that waits for its next batch when its JVM dies: jvm_death.py KIND FOLDER."""

import os
import sys

from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

from dstream_compat import DStream, StreamingContext
from dstream_compat.testing import ManualClock

kind, folder = sys.argv[1:]
conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
sc = SparkContext(conf=conf.set("spark.log.level", "OFF"))
sc.setCheckpointDir(folder)
ssc = StreamingContext(sc, 1)
words = ssc.queueStream([["a"], ["b"]])
if kind == "remember":
    ssc.remember(60)
if kind == "frame":
    os.mkdir(f"{folder}/in")
    frame = SparkSession.builder.getOrCreate().readStream.text(f"{folder}/in")
    words = words.union(DStream.from_dataframe(frame).map(lambda row: row.value))
pairs = words.map(lambda word: (word, 1))
if kind == "behind":
    pairs = pairs.transform(lambda rdd: rdd.filter(bool))
pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(lambda rdd: rdd.count())
ssc.start()
ManualClock(ssc).advance(1)
ssc._job.scheduler.await_committed(1000, lambda: None)
while not ssc._job.runner.idle.wait(0.05):
    pass
print("waiting", flush=True)
ssc.awaitTermination()
print("awaited", flush=True)
