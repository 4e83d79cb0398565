"""
Word counts over a sliding window, computed in the two ways that Spark offers, and the number of
lines in the window.

    $ spark-submit windowed_wordcount.py localhost 9999 60 10

The window is 60 seconds long and is printed every 10 seconds. As the length is at least five
times the slide, "kept" is computed from the window before it (add what came in, subtract what
went out), "fresh" from all of the window's batches.
"""
from __future__ import print_function

import sys

from pyspark import SparkConf, SparkContext
from dstream_compat import StreamingContext

if len(sys.argv) not in (3, 5):
    print("Usage: windowed_wordcount.py <hostname> <port> [<window seconds> <slide seconds>]",
          file=sys.stderr)
    exit(1)

host = sys.argv[1]
port = int(sys.argv[2])
window_length = int(sys.argv[3]) if len(sys.argv) == 5 else 60
slide = int(sys.argv[4]) if len(sys.argv) == 5 else 10

conf = SparkConf().setAppName("WindowedWordCount")
sc = SparkContext(conf=conf)
sc.setLogLevel("ERROR")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("windowed-checkpoint")

lines = ssc.socketTextStream(host, port)
pairs = lines.flatMap(lambda line: line.split(" ")) \
             .filter(lambda word: word != "") \
             .map(lambda word: (word, 1))

kept = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, window_length, slide)
kept.map(lambda kv: ("kept", kv[0], kv[1])).pprint(100)

fresh = pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, window_length, slide)
fresh.map(lambda kv: ("fresh", kv[0], kv[1])).pprint(100)

lines.countByWindow(window_length, slide).map(lambda n: ("lines", n)).pprint()

ssc.start()
ssc.awaitTermination()
