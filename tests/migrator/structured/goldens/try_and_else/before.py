"""Makes its contexts and streams in a `try`, and starts in its `else`."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

try:
    sc = SparkContext(appName="TryAndElse")
    ssc = StreamingContext(sc, 1)
    # each line
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    lines.map(lambda line: line.upper()).pprint()
except ValueError as error:
    print(error, file=sys.stderr)
else:
    ssc.start()
    ssc.awaitTermination()
