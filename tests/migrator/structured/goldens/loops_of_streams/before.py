"""Builds and unites streams in loops over what is written down."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

first, second, third, fourth = sys.argv[1:]
FOLDERS = [first, second]
sc = SparkContext(appName="LoopsOfStreams")
ssc = StreamingContext(sc, 1)
streams = []
for folder in FOLDERS:
    # of each folder
    lines = ssc.textFileStream(folder)
    streams.append(lines.map(lambda line: line + "!"))
ssc.union(*streams).pprint()
pairs = [ssc.textFileStream(name).map(lambda line: (line, 1)) for name in (third, fourth)]
counts = pairs[0].union(pairs[1]).reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
