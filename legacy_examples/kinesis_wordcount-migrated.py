"""
Counts the words in the records of a Kinesis stream: in each batch, and since the job began.

The keys of an AWS account are taken from the environment. The library is not part of Spark:

    $ spark-submit --packages org.apache.spark:spark-streaming-kinesis-asl_2.11:2.4.8 \
        kinesis_wordcount.py notes-app notes https://kinesis.eu-central-1.amazonaws.com \
        eu-central-1 /data/checkpoint
"""
from __future__ import print_function

import json
import sys

from pyspark import SparkContext, StorageLevel
from dstream_compat import StreamingContext
from dstream_compat.kinesis import InitialPositionInStream, KinesisUtils


def text_of(data):
    # a record is a JSON object with a field "text", or nothing that we know
    try:
        return json.loads(data.decode("utf-8"))["text"]
    except (KeyError, TypeError, ValueError):
        return ""


def total(new, last):
    return sum(new) + (last or 0)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        print("Usage: kinesis_wordcount.py <app> <stream> <endpoint url> <region> <checkpoint>",
              file=sys.stderr)
        sys.exit(-1)
    app, stream, endpoint, region, checkpoint = sys.argv[1:]

    sc = SparkContext(appName="KinesisWordCount")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 2)
    ssc.checkpoint(checkpoint)

    texts = KinesisUtils.createStream(
        ssc, app, stream, endpoint, region, InitialPositionInStream.TRIM_HORIZON, 10,
        storageLevel=StorageLevel.MEMORY_AND_DISK_2, decoder=text_of)
    ones = texts.flatMap(lambda text: text.split()).map(lambda word: (word.lower(), 1))
    ones.reduceByKey(lambda a, b: a + b).pprint()
    ones.updateStateByKey(total).map(lambda kv: "%s so far: %d" % kv).pprint(100)

    ssc.start()
    ssc.awaitTermination()
