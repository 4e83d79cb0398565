"""The smallest job: counts its argument three times and ends."""

import sys
import threading

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

if __name__ == "__main__":
    sc = SparkContext(appName="small")
    ssc = StreamingContext(sc, 1)
    done = threading.Event()

    def show(rdd):
        found = rdd.collect()
        if found:
            print("counted:", found)
            done.set()

    words = ssc.queueStream([[sys.argv[1]] * 3]).map(lambda word: (word, 1))
    words.reduceByKey(lambda a, b: a + b).foreachRDD(show)
    ssc.start()
    print("class:", StreamingContext.__module__)
    assert done.wait(100)
    ssc.stop()
