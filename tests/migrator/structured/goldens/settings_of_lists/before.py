"""Gives its settings in a list, and calls `getOrCreate` of a context."""
import sys

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

KEY = "spark.hadoop.some.setting"
SETTINGS = [("spark.some.setting", "1"), (KEY, "false")]


def settings(name):
    conf = SparkConf()
    conf.setAll(SETTINGS)
    return conf.setAppName(name)


conf = settings("SettingsOfLists")
sc = SparkContext(conf=conf).getOrCreate(conf=conf)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
lines.pprint()
ssc.start()
ssc.awaitTermination()
