"""Functions that give what their own name means from there on, and say what they have made."""
from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

WORDS = ["data", "spark"]


def tags(words):
    """Count the tags of a batch."""
    found = words.map(lambda word: word.lower()).filter(lambda word: word[:1] == "#")
    counts = found.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
    return counts
    pass


def counts(words):
    """Count the words of a list."""
    return words.filter(lambda word: word in WORDS).map(lambda word: (word, 1)).reduceByKey(
        lambda a, b: a + b
    )


if __name__ == "__main__":
    conf = SparkConf()
    conf.setAppName("OwnNames").setExecutorEnv("LEVEL", "1")
    sc = SparkContext(conf=conf)
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("localhost", 9999)
    print(lines)
    words = lines.flatMap(lambda line: line.split(" "))
    tags = tags(words)
    tags.pprint()
    counts = counts(words)
    counts.pprint()
    ssc.start()
    ssc.awaitTermination()
