#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Counts clicks by page, with a running total."""
import os
import sys

os.environ['PYSPARK_SUBMIT_ARGS'] = (
    '--packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 '  # expect: D901
    '--conf spark.streaming.receiver.maxRate=1000 pyspark-shell')  # expect: D703

from pyspark import SparkContext, SparkConf
from pyspark.streaming import StreamingContext  # expect: D101=fixed
from pyspark.streaming.kafka import KafkaUtils  # expect: D101=fixed

from lib import util


def update((old, seen), values=None):  # expect: D010=fixed
	# indented by a tab, as the function below is by spaces
	print >>sys.stderr, "updating", old, seen  # expect: D010=fixed
	return old + seen


def total(values, old):
    if old <> None:  # expect: D010=fixed
        return sum(values) + old
    return sum(values)


def main():
    conf = SparkConf().setAppName("clicks")
    conf.set("spark.streaming.backpressure.enabled", "true")  # expect: D702
    conf.set("spark.streaming.stopGracefullyOnShutdown", "false")  # expect: D704
    sc = SparkContext(conf=conf)
    ssc = StreamingContext(sc, 010)  # expect: D010=fixed
    ssc.checkpoint("hdfs:///checkpoints/clicks")
    raw = KafkaUtils.createStream(ssc, "zk:2181", "clicks", {"clicks": 1})  # expect: D201
    pages = raw.map(lambda (k, v): v).filter(lambda line: line <> "")  # expect: D010=fixed D010=fixed
    counts = util.count(pages.map(lambda page: (page, 1L)))  # expect: D010=fixed
    totals = counts.updateStateByKey(total)
    totals.toDF()  # expect: D301
    print "pages:", pages.count()  # expect: D010=fixed D303
    totals.foreachRDD(store)
    try:
        ssc.start()
        ssc.awaitTermination()
    except KeyboardInterrupt, e:  # expect: D010=fixed
        print `e`  # expect: D010=fixed D010=fixed
        ssc.stop(stopSparkContext=True, stopGraceFully=True)
        raise SystemExit, 0  # expect: D010=fixed


def store(time, rdd):
    exec "pass"  # expect: D010=fixed D018 D605
    for page, n in rdd.take(10):  # expect: D802
        print "%s: %d" % (page, n),  # expect: D010=fixed D024


if __name__ == '__main__':
    main()
