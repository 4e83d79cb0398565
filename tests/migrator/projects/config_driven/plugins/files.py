def output(stream):
    stream.saveAsTextFiles("out", "txt")
    stream.collect()  # expect: D301?
