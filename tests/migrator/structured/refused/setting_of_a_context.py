# SESSION_METHOD: a session has no `setConf`
import sys

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext


def process(rdd):
    sql = SQLContext(rdd.context)
    sql.setConf("spark.sql.shuffle.partitions", "2")
    print(rdd.count())


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
