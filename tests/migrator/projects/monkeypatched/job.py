import patches  # noqa: F401
from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

sc = SparkContext()
log4j = sc._jvm.org.apache.log4j
log4j.LogManager.getLogger("org.apache.spark.streaming").setLevel(log4j.Level.WARN)
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.distinct().name("distinct").printJava()
ssc._jssc.ssc().graph()  # expect: D601
helper = ssc._jvm.org.apache.spark.streaming.Duration(1000)  # expect: D602
parallel = ssc._sc.defaultParallelism
ssc.start()
ssc.awaitTermination()
