"""Builds its streams at the top, and goes on in a `try` of the main script."""
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="TryBlocks")
sc.setLogLevel("WARN")
ssc = StreamingContext(sc, 1)  # each second
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
words = lines.map(lambda x: x.upper())

if __name__ == "__main__":
    try:
        # show
        words.filter(lambda x: x == "A").pprint()
        other = words.map(lambda x: x + "b")
        other.pprint()
        ssc.start()
        ssc.awaitTermination()
    except KeyboardInterrupt:
        ssc.stop()
    finally:
        print("end", file=sys.stderr)
