"""Counts requests per user, without the users of a blacklist. A line is "<user> <path>"."""
import signal
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

stopping = False


def ask_to_stop(signum, frame):
    global stopping
    stopping = True


def main():
    sc = SparkContext(appName="BlacklistJoin")
    ssc = StreamingContext(sc, 1)
    signal.signal(signal.SIGTERM, ask_to_stop)
    blacklist = sc.textFile(sys.argv[3]).map(lambda user: (user.strip(), True)).cache()

    def allowed(rdd):
        joined = rdd.leftOuterJoin(blacklist)
        return joined.filter(lambda kv: kv[1][1] is not True).map(lambda kv: (kv[0], kv[1][0]))

    requests = ssc.socketTextStream(sys.argv[1], int(sys.argv[2])).map(
        lambda line: tuple(line.split(" ", 1))
    )
    per_user = requests.transform(allowed).map(lambda kv: (kv[0], 1)).reduceByKey(
        lambda a, b: a + b
    )
    per_user.pprint(20)

    ssc.start()
    while not stopping:
        if ssc.awaitTerminationOrTimeout(1):
            break
    ssc.stop(stopSparkContext=True, stopGraceFully=True)


if __name__ == "__main__":
    main()
