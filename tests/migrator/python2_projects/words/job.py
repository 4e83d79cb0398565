#!/usr/bin/env python2
# -*- coding: utf-8 -*-
"""Counts words and sums amounts; Python 2 since 2014."""
import sys

from helpers.parsing import amounts, words
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

LIMIT = 010


def report(time, rdd):
    found = dict(rdd.collect())
    print "batch:", len(found), "words"
    for word in sorted(found.keys()):
        if found.has_key(word) and word <> "":
            print "%s=%d" % (word, found[word]),
    print
    names, counts = found.keys(), found.values()
    print sum(count for name, count in zip(names, counts)), LIMIT


def update(new, old):
    total = sum(new) + (old or 0L)
    return total


def main():
    if len(sys.argv) != 2:
        print >> sys.stderr, "usage: job.py PORT"
        raise SystemExit, 2
    sc = SparkContext(appName="python2")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("checkpoint")
    lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
    counts = words(lines).map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    counts.foreachRDD(report)
    sums = amounts(lines).updateStateByKey(update)
    sums.map(lambda (name, amount): name + ":" + str(amount)).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
