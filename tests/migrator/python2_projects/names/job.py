"""Parses as Python 3, and means Python 2."""

import json
import string
import sys
import urlparse

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def parse(line):
    try:
        event = json.loads(line, encoding="utf-8")
        return [(urlparse.urlparse(event["url"]).netloc, long(event["bytes"]))]
    except Exception:
        return []


def letters(host):
    return reduce(lambda n, c: n + (c in string.letters), host, 0)


def show(rdd):
    found = {}
    for host, size in rdd.collect():
        found.setdefault(unicode(host), []).append(size)
    for host, sizes in sorted(found.iteritems()):
        print("%s %d %d" % (host, sum(sizes), letters(host)))
    if found.has_key("quit.example.org"):
        print("quit")


if __name__ == "__main__":
    sc = SparkContext(appName="names")
    ssc = StreamingContext(sc, 1)
    events = ssc.socketTextStream("localhost", int(sys.argv[1])).flatMap(parse)
    events.reduceByKey(lambda a, b: a + b).foreachRDD(show)
    ssc.start()
    ssc.awaitTermination()
