"""
Counts requests per user, without the users of a blacklist. A line is "<user> <path>".

    $ spark-submit blacklist_filter.py localhost 9999 blacklist.txt

Stop it with Ctrl-C or a TERM signal: what was received is still counted.
"""
from __future__ import print_function

import signal
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

# what str.split() and str.strip() take for white space
WHITESPACE_CHARACTERS = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

stopping = False


def ask_to_stop(signum, frame):
    global stopping
    stopping = True


def process_batch(batch, batch_id):
    per_user = batch.groupBy("key").count()
    per_user.show(20, truncate=False)


def main():
    if len(sys.argv) != 4:
        print("Usage: blacklist_filter.py <hostname> <port> <blacklist file>", file=sys.stderr)
        sys.exit(-1)

    spark = SparkSession.builder.appName("BlacklistFilter").getOrCreate()
    signal.signal(signal.SIGTERM, ask_to_stop)
    signal.signal(signal.SIGINT, ask_to_stop)

    # static data: read once, joined with every batch
    blacklist = (
        spark.read.text(sys.argv[3])
        .select(F.btrim(F.col("value"), F.lit(WHITESPACE_CHARACTERS)).alias("value"))
        .cache()
    )

    requests = (
        spark.readStream.format("socket")
        .option("host", sys.argv[1])
        .option("port", int(sys.argv[2]))
        .load()
        .select(
            F.split(F.col("value"), " ")[0].alias("key"),
            F.split(F.col("value"), " ")[1].alias("value"),
        )
    )
    keys = (
        requests.join(
            blacklist.select(F.col("value").alias("key"), F.lit(True).alias("value_2")),
            "key",
            "left",
        )
        .where(~F.col("value_2").eqNullSafe(True))
    )

    query = keys.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
    while not stopping:
        if query.awaitTermination(1):
            break
    print("stopping")
    query.stop()
    spark.stop()
    print("stopped")


if __name__ == "__main__":
    main()
