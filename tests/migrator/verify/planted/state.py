from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="state")
ssc = StreamingContext(sc, 1)
ssc.checkpoint("checkpoint")


def update(new, total):
    if "quit" in new:
        return None
    return (total or 0) + len(new)


before = sc.parallelize([("ann", 100)])
lines = ssc.socketTextStream("localhost", 9999)
visits = lines.map(lambda line: tuple(line.split(" ")))
totals = visits.updateStateByKey(update, initialRDD=before)
totals.pprint()

ssc.start()
ssc.awaitTermination()
