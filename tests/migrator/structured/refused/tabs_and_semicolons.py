# PARTITIONS: says which records
from pyspark import SparkContext; from pyspark.streaming import StreamingContext


def main():
	sc = SparkContext(appName="Refused"); ssc = StreamingContext(sc, 1)
	lines = ssc.socketTextStream("localhost", 9999); lines.glom().pprint()
	ssc.start()


main()
