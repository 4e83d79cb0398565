from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

sc = SparkContext("local[2]", "needless")
stream = StreamingContext(sc, 2)
stream.checkpoint("checkpoint")  # expect: D401
words = stream.textFileStream("in").flatMap(lambda line: line.split(" "))
words.window(20, 10).countByValue().pprint()
stream.start()
stream.awaitTermination()
