"""Shows records as `pprint` does, in the job's own way."""
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def take_and_print(time, rdd, num=2):
    taken = rdd.take(num + 1)
    for record in taken[:num]:
        print(record)
    if len(taken) > num:
        print("...")


sc = SparkContext(appName="BatchCodeDefaults")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.foreachRDD(take_and_print)
longest = lines.transform(lambda rdd: rdd.sortBy(len, ascending=False))
longest.foreachRDD(lambda time, rdd, num=1: print(rdd.take(num)))
longest.foreachRDD(lambda time, rdd: take_and_print(time, rdd, 3))
ssc.start()
ssc.awaitTermination()
