"""Prints how often each ad was seen and clicked on, for each interval.

$ spark-submit job.py localhost 9998 9999
"""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def per_ad(lines):
    return lines.map(lambda line: (line.split(" ")[0], 1)).reduceByKey(lambda a, b: a + b)


if __name__ == "__main__":
    host, port_of_views, port_of_clicks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    sc = SparkContext(appName="AdViews")
    ssc = StreamingContext(sc, 1)
    views = per_ad(ssc.socketTextStream(host, port_of_views))
    clicks = per_ad(ssc.socketTextStream(host, port_of_clicks))
    counts = views.leftOuterJoin(clicks)
    counts.map(lambda pair: (pair[0], pair[1][0], pair[1][1] or 0)).pprint(100)
    ssc.start()
    ssc.awaitTermination()
