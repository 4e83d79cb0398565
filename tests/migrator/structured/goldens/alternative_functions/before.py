"""Reads Kafka or a socket in functions that return in several places."""
import argparse

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def open_source(ssc, args):
    if args.brokers:
        params = {"metadata.broker.list": args.brokers}
        stream = KafkaUtils.createDirectStream(ssc, ["words"], params)
        # the value
        return stream.map(lambda pair: pair[1])
    if args.folder:
        return ssc.textFileStream(args.folder)
    return ssc.socketTextStream(args.host, 9999)


def wanted(lines, short):
    if short:
        return lines.filter(lambda line: len(line) < 3)
    else:
        return lines


parser = argparse.ArgumentParser()
parser.add_argument("--brokers")
parser.add_argument("--folder")
parser.add_argument("--host", default="localhost")
args = parser.parse_args()
sc = SparkContext(appName="AlternativeFunctions")
ssc = StreamingContext(sc, 1)
lines = wanted(open_source(ssc, args), args.brokers is not None)
lines.map(lambda line: line.upper()).pprint()
ssc.start()
ssc.awaitTermination()
