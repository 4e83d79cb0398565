# CHECKPOINT: does not know the folder
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def create():
    sc = SparkContext(appName="Refused")
    ssc = StreamingContext(sc, 1)
    ssc.textFileStream("in").pprint()
    return ssc


def main(folder):
    ssc = StreamingContext.getOrCreate(folder, create)
    ssc.start()
    ssc.awaitTermination()


main(sys.argv[1])
