"""Writes each partition through a connection of its own."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Connection:
    def __init__(self, place):
        self.place = place

    def send(self, line):
        with open(self.place, "a") as out:
            out.write(line + "\n")


def send_partition(rows):
    connection = Connection("rows.txt")
    for key, value in rows:
        connection.send("%s=%s" % (key, value))


sc = SparkContext("local[2]", "Writers")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
pairs = lines.map(lambda line: line.partition(":")).map(lambda parts: (parts[0], parts[2]))
pairs.groupByKey().mapValues(sorted).foreachRDD(lambda rdd: rdd.foreachPartition(send_partition))
pairs.foreachRDD(lambda rdd: rdd.repartition(1).foreachPartition(lambda rows: print(len(list(rows)))))
ssc.start()
ssc.awaitTermination()
