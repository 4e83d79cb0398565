"""Appends what executors get to files, as a client of a database would send it."""

import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

FOLDER = sys.argv[3]
for each in ("pairs", "records", "keys", "words"):
    open(FOLDER + "/" + each + ".txt", "w").close()


def append(name, text):
    with open(FOLDER + "/" + name, "a") as file:
        file.write(text + "\n")


def send(records):
    for word, count in records:
        append("pairs.txt", "%s %d" % (word, count))


def send_record(record):
    append("records.txt", repr(record))


def send_word(word):
    append("words.txt", word.upper())


sc = SparkContext(appName="Send")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
# the function gets all records of a partition
counts.foreachRDD(lambda rdd: rdd.foreachPartition(send))
counts.foreachRDD(lambda rdd: rdd.foreach(send_record))
counts.foreachRDD(lambda rdd: rdd.foreach(lambda pair: append("keys.txt", pair[0])))
words.foreachRDD(lambda rdd: rdd.foreach(send_word))
words.foreachRDD(lambda rdd: rdd.foreachPartition(lambda part: [send_word(w) for w in part]))
ssc.start()
ssc.awaitTermination()
