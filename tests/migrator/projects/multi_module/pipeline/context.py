from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def new_context(config):
    conf = SparkConf().setAppName(config["name"])
    conf.set("spark.streaming.backpressure.enabled", "true")  # expect: D702
    conf.set("spark.streaming.receiver.maxrateperpartition", "100")  # expect: D705
    ssc = StreamingContext(SparkContext(conf=conf), config["interval"])
    ssc.checkpoint(config["checkpoint"])
    return ssc
