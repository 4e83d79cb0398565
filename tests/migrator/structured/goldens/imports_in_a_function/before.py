#!/usr/bin/env python
# Counts words.
def main(host, port):
    """Start the job."""
    from operator import add

    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext

    sc = SparkContext(appName="Inside")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(host, int(port))
    words = lines.flatMap(lambda line: line.split(" "))
    words.map(lambda word: (word, 1)).reduceByKey(add).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:3])
