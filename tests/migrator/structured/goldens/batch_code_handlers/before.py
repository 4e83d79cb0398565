"""Does with each batch what functions of another file say."""
import sys

import handlers
from handlers import Sink, parsed

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="BatchCodeHandlers")
ssc = StreamingContext(sc, 1)
sink = Sink("orders.log")

lines = ssc.socketTextStream("localhost", int(sys.argv[1]))
orders = lines.transform(parsed).map(tuple)
orders.foreachRDD(sink.save)
orders.foreachRDD(Sink.show)
large = orders.filter(lambda order: len(order[1]) > 1)
orders.transformWith(handlers.without, large).pprint()

ssc.start()
ssc.awaitTermination()
