"""Has its Spark and its functions from a module of the project."""
from common import *

sc = SparkContext("local[2]", NAME)
ssc = StreamingContext(sc, 1)
lines = read(ssc)
counts(lines).foreachRDD(lambda rdd: show(rdd, limit=2))
ssc.start()
ssc.awaitTermination()
