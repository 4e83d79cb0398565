# MODEL: a StreamingKMeans has literal arguments
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.mllib.clustering import StreamingKMeans
ssc = StreamingContext(SparkContext(), 1)
decay = float(open("x").read())
model = StreamingKMeans(k=2, decayFactor=decay).setRandomCenters(2, 1.0, 0)
lines = ssc.textFileStream("in")
model.trainOn(lines)
model.predictOn(lines).pprint()
ssc.start()
ssc.awaitTermination()
