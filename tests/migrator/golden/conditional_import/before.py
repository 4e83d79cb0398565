import sys

if len(sys.argv) > 1:
    import pyspark
else:
    import pyspark.streaming

try:
    import pyspark.streaming.kafka
except ImportError:
    pass


def main():
    return pyspark.streaming.StreamingContext(pyspark.SparkContext(), 1)
