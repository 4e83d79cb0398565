import pyspark.streaming as st
import dstream_compat.util as util

ssc = st.StreamingContext(None, 1)
print(st._private)
print(util.rddToFileName("a", None, 1))
