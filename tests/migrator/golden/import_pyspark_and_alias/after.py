import pyspark, dstream_compat as st
import dstream_compat

ssc = st.StreamingContext(None, 1)
assert isinstance(ssc, dstream_compat.StreamingContext)
