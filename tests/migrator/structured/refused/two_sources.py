# TWO_SOURCES: join the batches of one interval
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
other = ssc.socketTextStream(sys.argv[1], int(sys.argv[3]))
pairs.join(other.map(lambda line: (line, 2))).pprint()
ssc.start()
ssc.awaitTermination()
