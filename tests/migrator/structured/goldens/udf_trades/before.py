"""Sums the prices of trades; a line that is no trade is left out."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


# a trade is "<symbol>,<price>"
def parse_trade(line):
    parts = line.split(",")
    if len(parts) != 2:
        return None
    try:
        return parts[0].strip(), float(parts[1])
    except ValueError:
        return None


sc = SparkContext(appName="Trades")
ssc = StreamingContext(sc, 1)

lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
trades = lines.map(parse_trade).filter(lambda trade: trade is not None)
trades.reduceByKey(lambda a, b: a + b).pprint()
# what is expensive
trades.filter(lambda trade: trade[1] > 100).pprint()

ssc.start()
ssc.awaitTermination()
