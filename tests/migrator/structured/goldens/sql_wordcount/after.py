# Needs Spark 3.5 or newer.

"""
Word counts with Spark SQL: every batch becomes a DataFrame and a temporary view.

    $ spark-submit sql_network_wordcount.py localhost 9999
"""
from __future__ import print_function

import sys
import traceback
from datetime import datetime

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE = r"[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"


def count_words(batch, batch_id):
    time = datetime.now().replace(microsecond=0)
    print("### %s ###" % time)
    try:
        if batch.isEmpty():
            print("no words")
            return
        spark = batch.sparkSession
        words = batch.select("word", F.length(F.col("word")).cast("long").alias("length"))
        words.createOrReplaceTempView("words")
        spark.sql("""
            SELECT word, count(*) AS total, max(length) AS length
            FROM words
            WHERE length > 1
            GROUP BY word
            ORDER BY total DESC, word
        """).show(100, False)
    except Exception:
        traceback.print_exc()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print("Usage: sql_network_wordcount.py <hostname> <port>", file=sys.stderr)
        sys.exit(-1)
    host, port = sys.argv[1:3]

    spark = (
        SparkSession.builder.appName("SqlNetworkWordCount")
        .config("spark.log.level", "ERROR")
        .getOrCreate()
    )

    words = (
        spark.readStream.format("socket")
        .option("host", host)
        .option("port", int(port))
        .option("numPartitions", 1)
        .load()
        .select(F.explode(F.array_remove(F.split(F.col("value"), WHITESPACE), "")).alias("word"))
    )

    query = words.writeStream.foreachBatch(count_words).trigger(processingTime="2 seconds").start()
    query.awaitTermination()
