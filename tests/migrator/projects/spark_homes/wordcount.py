import os
import sys

os.environ["SPARK_HOME"] = "/opt/spark-2.4.8-bin-hadoop2.7"  # expect: D908
sys.path.insert(0, "/opt/spark-2.4.8-bin-hadoop2.7/python")  # expect: D908
sys.path.append("/opt/spark-2.4.8-bin-hadoop2.7/python/lib/py4j-0.10.7-src.zip")  # expect: D908

import findspark

findspark.init("/opt/spark-2.4.8-bin-hadoop2.7")  # expect: D908

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

sc = SparkContext("local[2]", "wordcount")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
words = lines.flatMap(lambda line: line.split(" "))
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.pprint()
ssc.start()
ssc.awaitTermination()
