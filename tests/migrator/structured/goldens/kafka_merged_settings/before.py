"""Reads with settings that are put together."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils

COMMON = {"group.id": "merged", "session.timeout.ms": "10000"}
sc = SparkContext(appName="KafkaMergedSettings")
ssc = StreamingContext(sc, 1)
lines = KafkaUtils.createDirectStream(
    ssc, "words,more".split(","), {**COMMON, "bootstrap.servers": sys.argv[1]}).map(lambda kv: kv[1])
lines.filter(lambda line: line is not None and line.startswith("a")).pprint()

ssc.start()
ssc.awaitTermination()
