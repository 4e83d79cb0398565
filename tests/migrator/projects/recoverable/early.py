from functools import partial

from builder import build_all
from pyspark.streaming import StreamingContext  # expect: D101

ssc = StreamingContext.getOrCreate("checkpoint-early", partial(build_all, "checkpoint-early"))
ssc.start()
ssc.awaitTermination()
