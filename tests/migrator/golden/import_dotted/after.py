import dstream_compat
import sys

ssc = dstream_compat.StreamingContext(sys.argv[1], 1)


def check(x):
    return isinstance(x, dstream_compat.DStream)
