import os

os.environ["PYSPARK_SUBMIT_ARGS"] = (
    "--master local[2] "
    "--packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 "  # expect: D901
    "pyspark-shell"
)
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from pyspark.streaming.kafka import KafkaUtils  # expect: D101

brokers, topic = sys.argv[1:]
sc = SparkContext(appName="environ")
ssc = StreamingContext(sc, 1)
kvs = KafkaUtils.createDirectStream(ssc, [topic], {"metadata.broker.list": brokers})  # expect: D202
lines = kvs.map(lambda x: x[1])
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
