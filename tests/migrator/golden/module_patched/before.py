import pyspark.streaming

pyspark.streaming.StreamingContext = object
ssc = pyspark.streaming.StreamingContext()
