# TYPE: count is a method of rows
from pyspark import SparkContext
from pyspark.sql import Row
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
rows = lines.map(lambda line: Row(word=line, count=1))
rows.filter(lambda row: row.count > 1).pprint()
ssc.start()
ssc.awaitTermination()
