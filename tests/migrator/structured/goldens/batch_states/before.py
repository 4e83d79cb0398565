"""Two states, one behind the other, and a join of the second with the batch."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def words_of(new, words):
    return (words or frozenset()).union(new)


def largest(new, best):
    return max(new + [best or (0, "")])


def first_letter(word):
    return word[0], word


sc = SparkContext("local[2]", "BatchStates")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
pairs = lines.flatMap(lambda line: line.split()).map(first_letter)
words = pairs.updateStateByKey(words_of)
sizes = words.map(lambda pair: (len(pair[0]), (len(pair[1]), pair[0])))
best = sizes.updateStateByKey(largest)
best.pprint()
pairs.join(words).mapValues(lambda both: (both[0], sorted(both[1]))).pprint(30)
pairs.updateStateByKey(lambda new, old: (old or ()) + tuple(new)).transform(
    lambda rdd: rdd.sortByKey().zipWithIndex()
).pprint(30)

ssc.start()
ssc.awaitTermination()
