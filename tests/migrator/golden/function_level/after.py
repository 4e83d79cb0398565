def make(sc):
    from dstream_compat import StreamingContext
    return StreamingContext(sc, 1)


def other(sc):
    import dstream_compat
    return dstream_compat.StreamingContext(sc, 1)


class Job:
    from dstream_compat import DStream

    def run(self, sc):
        ssc = make(sc)
        ssc.textFileStream("x").map(str).pprint()
