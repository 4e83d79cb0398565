import os

os.environ["PYSPARK_SUBMIT_ARGS"] = (
    "--packages org.apache.spark:spark-streaming-kafka-0-8-assembly_2.11:2.4.8 "  # expect: D901
    "--conf spark.streaming.ui.retainedBatches=100 pyspark-shell"  # expect: D704
)

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

conf = SparkConf()
conf.set(
    "spark.jars.packages", "org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0,org.x:y_2.13:1.0"  # expect: D901
)
conf.set("spark.jars", "spark-sql-kafka-0-10_2.11-2.4.8.jar")  # expect: D902
ssc = StreamingContext(SparkContext(conf=conf), 2)
ssc.textFileStream("in").pprint()
ssc.start()
ssc.awaitTermination()
