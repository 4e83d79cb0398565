"""Keeps its streams in tuples and dicts."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def split(stream):
    short = stream.filter(lambda word: len(word) < 3)
    return short, stream.filter(lambda word: len(word) > 2)


sc = SparkContext(appName="StreamsInContainers")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
# both of them
pair = split(lines.flatMap(lambda line: line.split(" ")))
small, large = pair
streams = {"small": small}
streams["loud"] = large.map(lambda word: word + "!")
for name, stream in streams.items():
    print(name, file=sys.stderr)
    stream.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b).pprint()
for size in range(1, 3):
    streams["small"].filter(lambda word, size=size: len(word) == size).pprint()
ssc.start()
ssc.awaitTermination()
