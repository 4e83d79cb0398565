"""Running word totals of the files of a folder, with a checkpoint: both on HDFS, S3 or the like.

$ python -m dstream_compat submit file_totals.py CHECKPOINT_FOLDER INPUT_FOLDER
"""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def add(new, total):
    return sum(new) + (total or 0)


def show(time, rdd):
    print(f"{time}: {sorted(rdd.collect())}", flush=True)


def main(checkpoint, folder):
    def create():
        ssc = StreamingContext(SparkContext(appName="file totals"), 2)
        ssc.checkpoint(checkpoint)
        words = ssc.textFileStream(folder).flatMap(lambda line: line.split())
        words.map(lambda word: (word, 1)).updateStateByKey(add).foreachRDD(show)
        return ssc

    ssc = StreamingContext.getOrCreate(checkpoint, create)
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
