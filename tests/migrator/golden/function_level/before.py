def make(sc):
    from pyspark.streaming import StreamingContext
    return StreamingContext(sc, 1)


def other(sc):
    import pyspark.streaming
    return pyspark.streaming.StreamingContext(sc, 1)


class Job:
    from pyspark.streaming import DStream

    def run(self, sc):
        ssc = make(sc)
        ssc.textFileStream("x").map(str).pprint()
