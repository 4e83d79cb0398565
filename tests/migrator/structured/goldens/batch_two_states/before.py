"""Two sources with a state each: one query keeps both of its states."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def seen(new, old):
    return sorted({*new, *(old or ())})


sc = SparkContext(appName="BatchTwoStates")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
files = ssc.textFileStream(sys.argv[2])
letters = lines.map(lambda line: (line[:1], line)).updateStateByKey(seen)
sizes = lines.map(lambda line: (len(line), line)).updateStateByKey(seen)
letters.map(lambda pair: ("letter",) + pair).pprint()
sizes.map(lambda pair: ("size",) + pair).pprint()
names = files.map(lambda line: (line[-1:], line)).updateStateByKey(seen)
names.map(lambda pair: ("name",) + pair).pprint()

ssc.start()
ssc.awaitTermination()
