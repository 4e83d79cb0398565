import sys; from operator import add

from pyspark import SparkContext; from pyspark.streaming import StreamingContext

ready = True; words = 3

def report(time, rdd): print(rdd.count()); print("that was it")

if len(sys.argv) < 2: sys.exit("name a host and a port")
else: host, port = sys.argv[1], int(sys.argv[2])

sc = SparkContext(appName="OneLine"); ssc = StreamingContext(sc, 1)  # every second
lines = ssc.socketTextStream(host, port); pairs = lines.flatMap(lambda x: x.split(" ")).map(lambda x: (x, 1));
# the counts, and the lines
pairs.reduceByKey(add).pprint(words); lines.foreachRDD(report)

try:
  if ready: ssc.start()
  ssc.awaitTermination()
finally: print("stopped"); ready = False
