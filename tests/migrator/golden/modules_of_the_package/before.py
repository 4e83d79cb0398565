import pyspark.streaming
import pyspark.streaming as st
from pyspark import streaming

ssc = pyspark.streaming.context.StreamingContext(sc, 1)
one = st.dstream.DStream
two = streaming.listener.StreamingListener
three = st.StreamingContext
name = st.util.rddToFileName("a", None, 1)
