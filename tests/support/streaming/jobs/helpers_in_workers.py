"""Maps with a function of the module ``pipeline``, in an RDD, a stage and an RDD of a batch.

Argument: the master, if it is not in the options of spark-submit.
"""

import sys
import threading

import pipeline
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

if __name__ == "__main__":
    conf = SparkConf().setAppName("helpers").set("spark.ui.enabled", "false")
    # Nothing reads Kafka here: its connector is not needed.
    conf.set("spark.driver.extraClassPath", "spark-sql-kafka-0-10.jar")
    for master in sys.argv[1:]:
        conf.setMaster(master)
    sc = SparkContext(conf=conf)
    print("early:", sc.parallelize(["a"]).map(pipeline.parse).collect())
    ssc = StreamingContext(sc, 1)
    done = threading.Event()

    def show(rdd):
        found = rdd.collect()
        if found:
            print("stage:", found)
            print("rdd:", rdd.map(pipeline.parse).collect())
            done.set()

    ssc.queueStream([["b"]]).map(pipeline.parse).foreachRDD(show)
    ssc.start()
    try:
        assert done.wait(100)
    finally:
        ssc.stop()
