import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

folder = sys.argv[3]
counts, triples, flags, plain = (folder + name for name in ("/counts", "/triples", "/f", "/plain"))

sc = SparkContext(appName="Texts")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.flatMap(lambda line: line.split(" "))
words.count().saveAsTextFiles(counts)
words.map(lambda word: (word, len(word), len(word) > 3)).saveAsTextFiles(triples, "txt")
words.map(lambda word: len(word) > 3).saveAsTextFiles(flags)
words.saveAsTextFiles(plain, suffix=None)
ssc.start()
ssc.awaitTermination()
