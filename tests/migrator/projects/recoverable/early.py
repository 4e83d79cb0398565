from functools import partial

from builder import build_all
from pyspark.streaming import StreamingContext  # expect: D101

ssc = StreamingContext.getOrCreate("/tmp/early", partial(build_all, "/tmp/early"))
ssc.start()
ssc.awaitTermination()
