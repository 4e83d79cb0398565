def open_context(name, seconds):
    from pyspark import SparkContext
    from pyspark.streaming import StreamingContext  # expect: D101

    return StreamingContext(SparkContext(appName=name), seconds)
