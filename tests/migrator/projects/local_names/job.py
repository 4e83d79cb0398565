import queue
import threading

from kafka import KafkaUtils
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.streaming import StreamingContext as Context  # expect: D101
from streaming import StreamingContext

mine = KafkaUtils.createStream("host").map()
mine.pprint()
mine.toDF()
other = StreamingContext().start()
hosts = other.socketTextStream("host")
print(hosts, len(hosts))

sc = SparkContext()
stream = Context(sc, 1)
rdd = stream.queueStream([[1], [2]])
stream_of_threads = [threading.Thread(target=print) for _ in range(3)]
for lines in stream_of_threads:
    lines.start()
    lines.join()
jobs = queue.Queue()
jobs.join()
rdd.map(str).pprint()
SparkSession(sc)
dstream = sc.textFile("x").map(lambda line: (line, 1))
dstream.toDF().show()
dstream.collect()
stream.start()
stream.awaitTerminationOrTimeout(60)
