"""
Stock ticks: rolling statistics of each symbol over its last prices, warnings about prices that
have moved, and how many warnings each symbol had lately.

    $ python -m dstream_compat run rolling_statistics.py localhost 9999 60 10

A line is a symbol and a price, such as "ACME 12.50"; other lines are left out. Kept with
mapWithState are, for each symbol,

  - the last five prices (a count window): each tick prints their minimum, maximum and mean;
  - the price of the last warning (a delta window): a tick that is more than 2.00 away from it is
    a warning and takes its place. The first price of a symbol is where it begins.

Every 10 seconds the warnings of the last 60 are counted by symbol.

Spark has mapWithState in Scala and Java only, so the import of StateSpec fails on its own
pyspark.streaming. The job is what a port of such a job to Python looks like: it runs on
dstream_compat, which offers Spark's names under pyspark.streaming.
"""
from __future__ import print_function

import sys

from pyspark import SparkContext
from dstream_compat import StateSpec, StreamingContext

LAST = 5
MOVED = 2.0


def parse(line):
    fields = line.split()
    if len(fields) != 2:
        return []
    try:
        return [(fields[0].upper(), float(fields[1]))]
    except ValueError:
        return []


def statistics(symbol, price, state):
    prices = ((state.getOption() or []) + [price])[-LAST:]
    state.update(prices)
    return (symbol, min(prices), max(prices), round(sum(prices) / len(prices), 2))


def warning(batch_time, symbol, price, state):
    # with the time as first argument, None emits nothing
    if not state.exists():
        state.update(price)
        return None
    move = round(price - state.get(), 2)
    if abs(move) <= MOVED:
        return None
    state.update(price)
    return (symbol, batch_time.strftime("%S"), "%+.2f" % move)


def main(argv):
    if len(argv) not in (3, 5):
        print("Usage: rolling_statistics.py <hostname> <port> [<window seconds> <slide seconds>]",
              file=sys.stderr)
        return 1

    window, slide = (int(argv[3]), int(argv[4])) if len(argv) == 5 else (60, 10)
    sc = SparkContext(appName="RollingStatistics")
    sc.setLogLevel("ERROR")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("rolling-checkpoint")

    ticks = ssc.socketTextStream(argv[1], int(argv[2])).flatMap(parse)
    ticks.mapWithState(StateSpec.function(statistics)).pprint(100)

    warnings = ticks.mapWithState(StateSpec.function(warning).numPartitions(2))
    warnings.map(lambda w: "warning: %s %s at :%s" % (w[0], w[2], w[1])).pprint(100)

    counts = warnings.map(lambda w: (w[0], 1)) \
                     .reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, window, slide,
                                           filterFunc=lambda kv: kv[1] > 0)
    counts.map(lambda kv: "warnings of the last %d seconds: %s %d" % (window, kv[0], kv[1])) \
          .pprint(100)

    ssc.start()
    ssc.awaitTermination()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
