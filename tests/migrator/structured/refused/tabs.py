# LAYOUT: indented with tabs
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main():
	sc = SparkContext(appName="Refused")
	ssc = StreamingContext(sc, 1)
	ssc.socketTextStream("localhost", 9999).pprint()
	ssc.start()


main()
