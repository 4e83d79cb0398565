"""Takes all lists of a queue in the first batch, and a default in all others."""
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext


def show(time, rdd):
    print("taken:", sorted(rdd.collect()))


conf = SparkConf().setAppName("QueueAllAtOnce")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)

words = [["a", "b", "a"], [], ["c"]]
lines = ssc.queueStream(words, oneAtATime=False, default=["none"])
words.append(["never seen"])
# how often each of them is there
counts = lines.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(show)
lines.filter(lambda word: word != "b").pprint(2)
print(len(words), "lists")

ssc.start()
ssc.awaitTermination()
