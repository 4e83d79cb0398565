# JSON_SHAPE: `json.loads(str)` is not known
import json

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: json.loads(line)).pprint()
ssc.start()
ssc.awaitTermination()
