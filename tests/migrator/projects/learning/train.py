from features import to_point
from pyspark import SparkContext
from pyspark.mllib.clustering import StreamingKMeans  # expect: D106
from pyspark.streaming import StreamingContext  # expect: D101

sc = SparkContext()
ssc = StreamingContext(sc, 5)
training = ssc.textFileStream("train").map(to_point)
test = ssc.textFileStream("test").map(to_point)
model = StreamingKMeans(k=2, decayFactor=1.0)
model.setInitialCenters([[1.0, 1.0], [8.0, 8.0]], [1.0, 1.0])
model.trainOn(training)
predicted = model.predictOnValues(test.map(lambda point: (str(point), point)))
predicted.pprint()
ssc.start()
ssc.awaitTermination()
