class StreamingContext:
    """Not Spark's either."""

    def start(self):
        return self

    def socketTextStream(self, host):
        return [host]
