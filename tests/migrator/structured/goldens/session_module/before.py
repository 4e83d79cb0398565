"""Spark's names come from the modules that define them."""
import sys

from pyspark.context import SparkContext
from pyspark.sql.session import SparkSession
from pyspark.streaming.context import StreamingContext

spark = SparkSession.builder.appName("Modules").getOrCreate()
sc = SparkContext.getOrCreate()
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
counts = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
