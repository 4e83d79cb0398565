from pyspark import SparkContext, streaming
from pyspark import (
    SparkConf,
    streaming as st,
    StorageLevel,
)
from pyspark import streaming as only

ssc = streaming.StreamingContext(SparkContext(), 1)
ssc2 = st.StreamingContext.getActive()
