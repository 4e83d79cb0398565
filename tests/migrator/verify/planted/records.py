import json

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="records")
ssc = StreamingContext(sc, 1)

lines = ssc.socketTextStream("localhost", 9999)
rows = lines.map(json.loads)
named = rows.filter(lambda row: row.get("user") is not None)
pairs = named.map(lambda row: (row["user"], row["n"]))
sums = pairs.reduceByKey(lambda a, b: a + b)
sums.pprint()
means = pairs.groupByKey().mapValues(lambda values: sum(values) / len(values))
means.pprint()
top = sums.transform(lambda rdd: rdd.sortBy(lambda pair: (-pair[1], pair[0])))
top.pprint()

ssc.start()
ssc.awaitTermination()
