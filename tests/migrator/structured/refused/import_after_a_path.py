# IMPORT: Spark is imported inside of a function, after other code of it
import sys


def main():
    sys.path.append("/opt/spark/python")
    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext

    sc = SparkContext(appName="Refused")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", 9999)
    lines.map(lambda word: (word, len(word))).reduceByKey(max).pprint()
    ssc.start()


main()
