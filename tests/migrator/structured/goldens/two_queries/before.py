"""Words of each second, and words since the start."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

folder, checkpoint = sys.argv[1:]
sc = SparkContext(appName="TwoQueries")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(checkpoint)
lines = ssc.textFileStream(folder)
words = lines.flatMap(lambda line: line.split(" ")).filter(lambda word: word != "")
pairs = words.map(lambda word: (word, 1))
now = pairs.reduceByKey(lambda a, b: a + b)
now.pprint(20)
ever = pairs.updateStateByKey(lambda new, old: (old or 0) + sum(new))
ever.pprint(20)
ssc.start()
ssc.awaitTermination()
