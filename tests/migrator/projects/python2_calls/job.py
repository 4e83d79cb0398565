from __future__ import division

import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

import visits


def parse(line):
    try:
        return json.loads(line, encoding="utf-8")  # expect: D115
    except Exception:
        return None


def main(host, port):
    sc = SparkContext(appName="visits")
    ssc = StreamingContext(sc, 5)
    records = ssc.socketTextStream(host, port).map(parse).filter(lambda record: record)
    records.map(visits.key).reduceByKey(lambda a, b: a + b).pprint()
    records.map(lambda record: record.has_key("user")).count().pprint()  # expect: D111?
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print >>sys.stderr, "usage: job.py HOST PORT"  # expect: D112
        sys.exit(1)
    main(sys.argv[1], long(sys.argv[2]))  # expect: D110
