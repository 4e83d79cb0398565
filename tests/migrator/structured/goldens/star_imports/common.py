import json
from operator import add

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

NAME = "StarImports"


def read(ssc):
    return ssc.socketTextStream("localhost", 9999).map(json.loads)


def counts(records):
    return records.map(lambda record: (record["kind"], 1)).reduceByKey(add)


def show(rdd, limit):
    print(sorted(rdd.collect())[:limit])
