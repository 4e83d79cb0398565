import sys

if len(sys.argv) > 1:
    import pyspark
    import dstream_compat
else:
    import pyspark
    import dstream_compat

try:
    import pyspark
    import dstream_compat.kafka
except ImportError:
    pass


def main():
    return dstream_compat.StreamingContext(pyspark.SparkContext(), 1)
