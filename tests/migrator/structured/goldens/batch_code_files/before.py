"""Saves what becomes of the lines of files, under names of a setting."""
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

conf = SparkConf().setAppName("BatchCodeFiles")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 1)
seen = sc.accumulator(0)


def count_up(line):
    seen.add(1)
    return line.upper()


lines = ssc.textFileStream(sys.argv[1])
words = lines.map(count_up).flatMap(str.split)
pairs = words.map(lambda word: (word, len(word)))
same = pairs.union(words.map(lambda word: (word, 0)))
same.groupByKey().mapValues(lambda sizes: sorted(sizes)).saveAsTextFiles("out/words", "txt")
pairs.cogroup(same).map(lambda pair: (pair[0], [len(list(group)) for group in pair[1]])).pprint(20)
words.repartition(1).mapPartitionsWithIndex(lambda at, part: [(at, len(list(part)))]).pprint()

ssc.start()
ssc.awaitTermination()
