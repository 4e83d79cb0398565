"""Counts the levels of log lines, and tells how many there are."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def report(time, rdd):
	if rdd.isEmpty():
		return	# nothing came
	print("%d lines" % rdd.count())


def main(host, port):
	sc = SparkContext(appName="Levels")	# one for all
	ssc = StreamingContext(sc, 1)
	lines = ssc.socketTextStream(
		host,
		int(port),
	)
	# the first word is the level
	levels = lines.map(lambda line: (line.split(" ")[0], 1)) \
		.reduceByKey(lambda a, b: a + b)
	levels.pprint()
	lines.foreachRDD(report)

	ssc.start()
	ssc.awaitTermination()


if __name__ == "__main__":
    # four spaces here
    main(*sys.argv[1:3])
