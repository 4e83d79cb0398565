"""Sends the first records of several streams, by one function that each part of the job uses."""
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def send(stream, name):
    def take_and_send(time, rdd):
        if not rdd.isEmpty():
            print(name, rdd.glom().map(len).sum(), rdd.take(2))

    stream.foreachRDD(take_and_send)


def send_words(lines, name):
    words = lines.flatMap(lambda line: line.split(" "))
    ordered = words.transform(lambda rdd: rdd.sortBy(lambda word: word))
    send(ordered, name)


def send_lengths(lines, name):
    lengths = lines.map(len)
    ordered = lengths.transform(lambda rdd: rdd.sortBy(lambda length: -length))
    send(ordered, name)


if __name__ == "__main__":
    sc = SparkContext(appName="FunctionsInFunctions")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", 9999)
    send_words(lines, "words")
    send_lengths(lines, "lengths")
    ssc.start()
    ssc.awaitTermination()
