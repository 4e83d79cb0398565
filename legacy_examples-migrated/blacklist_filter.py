"""
Counts requests per user, without the users of a blacklist. A line is "<user> <path>".

    $ spark-submit blacklist_filter.py localhost 9999 blacklist.txt

Stop it with Ctrl-C or a TERM signal: what was received is still counted.
"""
from __future__ import print_function

import signal
import sys

from pyspark import SparkContext
from dstream_compat import StreamingContext

stopping = False


def ask_to_stop(signum, frame):
    global stopping
    stopping = True


def main():
    if len(sys.argv) != 4:
        print("Usage: blacklist_filter.py <hostname> <port> <blacklist file>", file=sys.stderr)
        sys.exit(-1)

    sc = SparkContext(appName="BlacklistFilter")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 1)
    signal.signal(signal.SIGTERM, ask_to_stop)
    signal.signal(signal.SIGINT, ask_to_stop)

    # static data: read once, joined with every batch
    blacklist = sc.textFile(sys.argv[3]) \
                  .map(lambda user: (user.strip(), True)) \
                  .cache()

    def allowed(rdd):
        return rdd.leftOuterJoin(blacklist) \
                  .filter(lambda kv: kv[1][1] is not True) \
                  .map(lambda kv: (kv[0], kv[1][0]))

    requests = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])) \
                  .map(lambda line: line.split(" ")) \
                  .map(lambda parts: (parts[0], parts[1]))
    per_user = requests.transform(allowed) \
                       .map(lambda kv: (kv[0], 1)) \
                       .reduceByKey(lambda a, b: a + b)
    per_user.pprint(20)

    ssc.start()
    while not stopping:
        if ssc.awaitTerminationOrTimeout(1):
            break
    print("stopping")
    ssc.stop(stopSparkContext=True, stopGraceFully=True)
    print("stopped")


if __name__ == "__main__":
    main()
