from __future__ import print_function

import sys
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main(host, port):
    sc = SparkContext(appName="ValuesOfPairs")
    ssc = StreamingContext(sc, batchDuration=1)
    orders = ssc.socketTextStream(host, port).map(lambda line: (line[:1], line[1:]))
    items = orders.flatMapValues(lambda rest: rest.split(","))
    sizes = items.mapValues(lambda item: len(item.strip()))
    largest = sizes.reduceByKey(max)
    largest.pprint(50)
    total = sizes.map(lambda kv: kv[1]).reduce(add)
    total.pprint()
    ssc.start()
    ssc.awaitTermination()
    print("done")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
