def keep_top(stream, n):
    """The n most frequent of each batch."""

    def top(rdd):
        return rdd.zipWithIndex().filter(lambda x: x[1] < n).keys()  # expect: D802

    return stream.transform(top)
