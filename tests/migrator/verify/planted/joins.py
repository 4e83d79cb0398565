from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="joins")
ssc = StreamingContext(sc, 1)


def show(time, rdd):
    print(rdd.count(), "users")


clicks = ssc.socketTextStream("localhost", 9999).map(lambda line: tuple(line.split(" ")))
names = ssc.socketTextStream("localhost", 9998).map(lambda line: tuple(line.split(" ")))
joined = clicks.join(names)
joined.pprint()
users = clicks.map(lambda pair: pair[0]).transform(lambda rdd: rdd.distinct())
users.foreachRDD(show)

ssc.start()
ssc.awaitTermination()
