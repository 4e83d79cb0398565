try:
    import pyspark.streaming
except ImportError:
    pyspark = None


def context(config):
    if pyspark is None:
        raise SystemExit("no Spark")
    print(f"Spark {pyspark.__version__}", config.streaming.kafka.topic)
    return pyspark.streaming.StreamingContext(None, config.streaming.interval)
