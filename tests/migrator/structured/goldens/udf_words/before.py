import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def marked(line):
    """The words before a comment, with their places."""
    found = []
    for place, word in enumerate(line.split()):
        if word.startswith("#"):
            break
        if not word.isalpha():
            continue
        found.append((word.casefold(), place))
    return found


if __name__ == "__main__":
    sc = SparkContext(appName="Words")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    words = lines.flatMap(marked)
    words.pprint(20)
    words.map(lambda pair: pair[0]).countByValue().pprint()
    ssc.start()
    ssc.awaitTermination()
