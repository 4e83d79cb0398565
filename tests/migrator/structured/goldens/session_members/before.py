"""Uses the SparkContext for what is no stream."""
import sys

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="SessionMembers", pyFiles=[])
sc.setLocalProperty("job", "words")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
limits = sc.broadcast({"words": 3})
seen = sc.accumulator(0)
numbers = sc.parallelize([1, 2, 3])
numbers.foreach(lambda number: seen.add(number))
limit = limits.value["words"]
print(sc.defaultParallelism, ssc.sparkContext.appName, numbers.sum(), sc.range(4).count())
sqlContext.sql("select 1 as one").show()


def end():
    sc.stop()
    sys.exit(0)


# a part of the job, unlike the numbers
known = sc.parallelize([("a", "known"), ("b", "also")])
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line, 1))
pairs.transform(lambda rdd: rdd.join(known)).pprint()
ssc.start()
try:
    ssc.awaitTermination()
except KeyboardInterrupt:
    end()
