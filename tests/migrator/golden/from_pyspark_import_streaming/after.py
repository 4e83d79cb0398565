from pyspark import SparkContext
import dstream_compat as streaming
from pyspark import (
    SparkConf,
    StorageLevel,
)
import dstream_compat as st
import dstream_compat as only

ssc = streaming.StreamingContext(SparkContext(), 1)
ssc2 = st.StreamingContext.getActive()
