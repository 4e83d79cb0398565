def top(pairs, n):
    """The n largest of each batch, as a stream."""

    def best(rdd):
        return rdd.sortBy(lambda pair: pair[1], ascending=False).zipWithIndex()  # expect: D802

    return pairs.transform(best).filter(lambda found: found[1] < n).map(lambda found: found[0])
