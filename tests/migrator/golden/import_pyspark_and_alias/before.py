import pyspark, pyspark.streaming as st

ssc = st.StreamingContext(None, 1)
assert isinstance(ssc, pyspark.streaming.StreamingContext)
