import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Operators")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
lengths = words.map(lambda word: (word, len(word)))
counts.join(lengths).pprint(50)
first = lines.map(lambda line: (line.split(" ")[0], "first"))
counts.leftOuterJoin(first).pprint(50)
counts.transformWith(lambda rdd, other: rdd.subtractByKey(other), first).pprint(50)
first.join(lengths).pprint(50)
ssc.start()
ssc.awaitTermination()
