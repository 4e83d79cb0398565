def make(sc):
    return pyspark.streaming.StreamingContext(sc, 1)


def main():
    global pyspark
    import pyspark
    import pyspark.streaming

    make(None)


main()
