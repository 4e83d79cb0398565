from pyspark import (
    streaming,  # why we need it
    SparkContext,
)

ssc = streaming.StreamingContext(SparkContext(), 1)
