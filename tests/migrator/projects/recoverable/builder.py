from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def build(ssc):
    ssc.textFileStream("data").pprint()  # expect: D603


def build_all(folder):
    ssc = StreamingContext(SparkContext(appName="early"), 1)
    ssc.checkpoint(folder)
    ssc.textFileStream("data").map(len).pprint()
    return ssc
