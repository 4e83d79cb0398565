"""Counts up to a limit."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


LIMIT = 7


sc = SparkContext(appName="StateLambda")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

words = ssc.textFileStream(sys.argv[1]).flatMap(lambda line: line.split())
letters = words.map(lambda word: (word[:1], len(word)))
# a lambda that is neither a sum nor a maximum
capped = letters.updateStateByKey(lambda new, seen: sum(min(n, LIMIT) for n in new) + (seen or 0) if new else seen)
capped.pprint(20)

ssc.start()
ssc.awaitTermination()
