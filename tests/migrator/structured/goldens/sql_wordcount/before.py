"""
Word counts with Spark SQL: every batch becomes a DataFrame and a temporary view.

    $ spark-submit sql_network_wordcount.py localhost 9999
"""
from __future__ import print_function

import sys
import traceback

from pyspark import SparkConf, SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext


def session_for(conf):
    """One session for all batches, made when the first one needs it."""
    if "the_session" not in globals():
        print("opening a SQL session")
        globals()["the_session"] = SparkSession.builder.config(conf=conf).getOrCreate()
    return globals()["the_session"]


def count_words(time, rdd):
    print("### %s ###" % time)
    try:
        if rdd.isEmpty():
            print("no words")
            return
        spark = session_for(rdd.context.getConf())
        words = spark.createDataFrame(rdd.map(lambda w: Row(word=w, length=len(w))))
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

    sc = SparkContext(conf=SparkConf().setAppName("SqlNetworkWordCount"))
    sc.setLogLevel("ERROR")
    stream = StreamingContext(sc, 2)

    words = stream.socketTextStream(host, int(port)).flatMap(lambda line: line.split())
    words.foreachRDD(count_words)

    stream.start()
    stream.awaitTermination()
