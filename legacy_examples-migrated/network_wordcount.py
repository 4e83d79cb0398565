"""
Counts the words that arrive on a TCP socket, second by second.

    $ nc -lk 9999
    $ spark-submit network_wordcount.py localhost 9999
"""
from __future__ import print_function

import sys
from operator import add

from pyspark import SparkContext
from dstream_compat import StreamingContext

if __name__ == "__main__":
    if len(sys.argv) != 3:
        print("Usage: network_wordcount.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)

    sc = SparkContext(appName="NetworkWordCount")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 1)

    text = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    counts = text.flatMap(lambda line: line.split()) \
                 .map(lambda word: (word.lower(), 1)) \
                 .reduceByKey(add)
    counts.pprint()

    ssc.start()
    ssc.awaitTermination()
