from pyspark.streaming.util import *

name = rddToFileName("a", "b", 1)
