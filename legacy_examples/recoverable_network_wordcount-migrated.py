"""
A word count that survives a crash: started again with the same checkpoint folder it goes on with
the totals it had. Received lines are kept in a write-ahead log until they are counted.

    $ spark-submit recoverable_network_wordcount.py localhost 9999 /data/checkpoint /data/counts.txt

Very common words are left out of the file of counts (broadcast variable) and their number is
shown after each batch (accumulator). Neither is part of a checkpoint, so both are made again
when they are first needed.
"""
from __future__ import print_function

import sys

from pyspark import SparkConf, SparkContext
from dstream_compat import StreamingContext

COMMON = ["a", "and", "of", "the"]


def common_words(sc):
    if "common_words_broadcast" not in globals():
        globals()["common_words_broadcast"] = sc.broadcast(COMMON)
    return globals()["common_words_broadcast"]


def left_out_counter(sc):
    if "left_out_accumulator" not in globals():
        globals()["left_out_accumulator"] = sc.accumulator(0)
    return globals()["left_out_accumulator"]


def running_sum(values, last):
    return sum(values) + (last or 0)


def create_context(host, port, checkpoint, output):
    # runs on the first start only
    print("no checkpoint yet, making a new context")
    conf = SparkConf().setAppName("RecoverableNetworkWordCount")
    conf.set("spark.streaming.receiver.writeAheadLog.enable", "true")
    sc = SparkContext(conf=conf)
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(checkpoint)

    pairs = ssc.socketTextStream(host, port) \
               .flatMap(lambda line: line.split()) \
               .map(lambda word: (word, 1))

    def write_counts(time, rdd):
        common = common_words(rdd.context)
        left_out = left_out_counter(rdd.context)

        def keep(kv):
            if kv[0] in common.value:
                left_out.add(kv[1])
                return False
            return True

        counts = rdd.filter(keep).collect()
        if counts:
            with open(output, "a") as f:
                for word, count in sorted(counts):
                    f.write("%s\t%s\t%d\n" % (time, word, count))
        print("left out so far: %d" % left_out.value)

    pairs.reduceByKey(lambda a, b: a + b).foreachRDD(write_counts)
    pairs.updateStateByKey(running_sum).pprint(50)
    return ssc


if __name__ == "__main__":
    if len(sys.argv) != 5:
        print("Usage: recoverable_network_wordcount.py <hostname> <port> <checkpoint> <output>",
              file=sys.stderr)
        sys.exit(-1)
    host, port, checkpoint, output = sys.argv[1:]
    ssc = StreamingContext.getOrCreate(
        checkpoint, lambda: create_context(host, int(port), checkpoint, output))
    ssc.start()
    ssc.awaitTermination()
