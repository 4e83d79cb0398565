import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

if __name__ == "__main__":
    sc = SparkContext(appName="Counts")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    errors = lines.filter(lambda line: "ERROR" in line)
    errors.foreachRDD(lambda rdd: print("errors:", rdd.count()))
    errors.foreachRDD(lambda rdd: print("ERROR", "s" * rdd.count()) if rdd.count() > 1 else None)
    lines.foreachRDD(lambda time, rdd: print("lines:", rdd.count()))
    ssc.start()
    ssc.awaitTermination()
