from pyspark.streaming import *


class State:
    pass


state = State()
ssc = StreamingContext(None, 1)
