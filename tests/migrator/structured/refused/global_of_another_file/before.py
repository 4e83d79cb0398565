# FILES: `seen` is bound again, and used by a part of the job
from counted import counted

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Refused"), 1)
counted(ssc.socketTextStream("localhost", 9999)).pprint()
ssc.start()
ssc.awaitTermination()
