import argparse

from sessions.windows import longest, visits
from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    options = parser.parse_args()
    ssc = StreamingContext(SparkContext(appName="sessions"), 2)
    ssc.checkpoint("checkpoint")
    lines = ssc.textFileStream(options.folder)
    visits(lines).pprint()
    longest(lines).saveAsTextFiles("out/longest", "txt")
    ssc.start()
    ssc.awaitTermination()


main()
