try:
    import pyspark
    import dstream_compat
except ImportError:
    pyspark = None


def context(config):
    if pyspark is None:
        raise SystemExit("no Spark")
    print(f"Spark {pyspark.__version__}", config.streaming.kafka.topic)
    return dstream_compat.StreamingContext(None, config.streaming.interval)
