from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

sc = SparkContext()
sc._conf.set("spark.streaming.backpresure.enabled", "true")  # expect: D705
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)


class Sink:
    def save(self, rdd):
        print(rdd)

    def __call__(self, rdd):
        print(rdd)


def write(rdd, table="t"):
    print(rdd, table)


words = lines.flatMap(lambda line: line.split()).filter()  # expect: D305
frame = words.toDF(["word"])  # expect: D301
words.map(lambda w: (w, 1)).sortByKey().pprint()  # expect: D301
words.zip(lines).pprint()  # expect: D301
print(words.toDebugString())  # expect: D301
words.foreachRDD(Sink.save)  # expect: D304
words.foreachRDD(Sink())  # expect: D304
words.foreachRDD(write)  # expect: D304
words.foreachRDD(lambda rdd, n=1: print(n))  # expect: D304
words.foreachRDD(lambda rdd: rdd.offsetRanges())  # expect: D306
if words:  # expect: D303
    print(len(words.collect()))  # expect: D301
for word in words:  # expect: D303
    print(word)
ssc.fileStream("/data").pprint()  # expect: D207
ssc.awaitTermination(1, 2)  # expect: D305
ssc.start()
