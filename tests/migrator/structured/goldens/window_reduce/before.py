"""The longest line of the last two seconds."""
import operator
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowReduce")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lengths = lines.map(lambda line: len(line))
lengths.reduceByWindow(max, None, 2, 1).pprint()
lengths.map(lambda n: 1 if n > 1 else 0).reduceByWindow(operator.add, operator.sub, 5, 1).pprint()

ssc.start()
ssc.awaitTermination()
