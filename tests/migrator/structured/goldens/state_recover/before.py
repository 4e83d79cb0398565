"""Counts words; "word!" forgets a word. It goes on after a crash."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

KNOWN_BEFORE = [("spark", 100), ("storm", 3)]


def tokenize(line):
    for token in line.split():
        if token.endswith("!"):
            yield (token[:-1].lower(), None)
        else:
            yield (token.lower(), 1)


def update_total(new_values, total):
    total = total or 0
    for value in new_values:
        if value is None:
            total = 0
        else:
            total += value
    return total if total > 0 else None


def create_context(folder, checkpoint):
    # runs only when the checkpoint folder is empty
    sc = SparkContext(appName="StateRecover")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)
    initial = sc.parallelize(KNOWN_BEFORE)
    lines = ssc.textFileStream(folder)
    totals = lines.flatMap(tokenize).updateStateByKey(update_total, initialRDD=initial)
    totals.pprint(50)
    return ssc


def main(argv):
    folder, checkpoint = argv[1], argv[2]
    ssc = StreamingContext.getOrCreate(checkpoint, lambda: create_context(folder, checkpoint))
    ssc.start()
    ssc.awaitTermination()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
