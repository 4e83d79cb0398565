"""
Running word totals, kept with updateStateByKey; the job goes on with them when it is started again
with the same checkpoint folder. A word that is followed by "!" is forgotten: "spark!" drops the
total of "spark".

    $ spark-submit stateful_network_wordcount.py localhost 9999 /tmp/wordcount-checkpoint
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from dstream_compat import StreamingContext

# what a previous system had counted before this job took over
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
    # None removes the word from the state
    return total if total > 0 else None


def create_context(host, port, checkpoint_dir):
    # runs only when the checkpoint folder is empty
    sc = SparkContext(appName="StatefulNetworkWordCount")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, batchDuration=1)
    ssc.checkpoint(checkpoint_dir)

    initial = sc.parallelize(KNOWN_BEFORE)
    lines = ssc.socketTextStream(host, port)
    totals = lines.flatMap(tokenize).updateStateByKey(update_total, initialRDD=initial)
    totals.pprint(50)
    return ssc


def main(argv):
    if len(argv) not in (3, 4):
        print("Usage: stateful_network_wordcount.py <hostname> <port> [checkpoint dir]",
              file=sys.stderr)
        return 1

    host, port = argv[1], int(argv[2])
    checkpoint_dir = argv[3] if len(argv) == 4 else "checkpoint"
    ssc = StreamingContext.getOrCreate(checkpoint_dir,
                                       lambda: create_context(host, port, checkpoint_dir))
    ssc.start()
    ssc.awaitTermination()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
