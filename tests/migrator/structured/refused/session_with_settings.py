# SESSION_SETTINGS: the session of a batch gets settings
import sys

from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext


def process(rdd):
    spark = SparkSession.builder.config("spark.sql.ansi.enabled", "false").getOrCreate()
    spark.createDataFrame(rdd.map(lambda line: Row(line=line))).show()


sc = SparkContext(appName="Refused")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.map(lambda line: (line.split(" ")[0], 1))
lines.foreachRDD(process)
ssc.start()
ssc.awaitTermination()
