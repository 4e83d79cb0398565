"""Works on the lines of the last three seconds."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="WindowThenBatch")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
recent = lines.window(3, 1)
errors = recent.filter(lambda line: "ERROR" in line)
errors.pprint()
recent.map(lambda line: (line.split(" ")[0], 1)).reduceByKey(lambda a, b: a + b).pprint()

ssc.start()
ssc.awaitTermination()
