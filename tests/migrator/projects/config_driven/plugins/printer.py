def output(stream):
    stream.pprint()
