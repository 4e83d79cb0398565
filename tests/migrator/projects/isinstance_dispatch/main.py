from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from write import first, sizes, write

sc = SparkContext()
ssc = StreamingContext(sc, 10)
lines = ssc.textFileStream("in")
table = sc.textFile("table")
for data in (lines, table):
    write(data, "out")
first(table)
first(lines)
for size in sizes(lines, table):
    size.pprint()
ssc.start()
ssc.stop()
