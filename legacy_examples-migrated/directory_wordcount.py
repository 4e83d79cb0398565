"""
Watches a folder and counts the words of every text file that is moved into it.

    $ spark-submit directory_wordcount.py /data/incoming

Write a file elsewhere on the same disk and rename it into the folder: a file that grows while
it is read is counted in part.
"""
from __future__ import print_function

import os
import sys

from pyspark.sql import SparkSession
from dstream_compat import StreamingContext

if len(sys.argv) != 2:
    sys.stderr.write("Usage: directory_wordcount.py <folder>\n")
    sys.exit(2)

folder = sys.argv[1]
if not os.path.isdir(folder):
    os.makedirs(folder)

spark = SparkSession.builder.appName("DirectoryWordCount").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
ssc = StreamingContext(spark.sparkContext, 1)

files = ssc.textFileStream(folder)
files.count().map(lambda n: "%d line(s)" % n).pprint()
files.flatMap(lambda line: line.split(" ")) \
     .map(lambda x: (x, 1)) \
     .reduceByKey(lambda x, y: x + y) \
     .pprint()

ssc.start()
try:
    ssc.awaitTermination()
except KeyboardInterrupt:
    ssc.stop(stopSparkContext=True, stopGraceFully=False)
