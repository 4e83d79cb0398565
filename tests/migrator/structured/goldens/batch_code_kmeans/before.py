"""Trains a model with one queue, and asks it with another."""
from pyspark import SparkContext
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint
from pyspark.streaming import StreamingContext


def parse(number, values):
    return LabeledPoint(number, Vectors.dense(values))


sc = SparkContext(appName="BatchCodeKMeans")
ssc = StreamingContext(sc, 1)
training = [
    sc.parallelize([Vectors.dense([0.0, 0.1]), Vectors.dense([9.0, 9.1])], 1),
    sc.parallelize([Vectors.dense([20.0, 20.0]), Vectors.dense([21.0, 21.0])], 1),
    sc.parallelize([Vectors.dense([5.0, 5.0])], 1),
]
testing = [
    sc.parallelize([parse(1, [0.2, 0.0]), parse(2, [4.5, 4.5]), parse(3, [9.0, 9.0])], 1),
    sc.parallelize([parse(1, [0.2, 0.0]), parse(2, [4.5, 4.5]), parse(3, [9.0, 9.0])], 1),
    sc.parallelize([parse(4, [16.0, 16.0]), parse(5, [3.0, 3.0])], 1),
]
trainingStream = ssc.queueStream(training)
testingStream = ssc.queueStream(testing)

model = StreamingKMeans(k=2, decayFactor=0.5).setRandomCenters(2, 1.0, 0)
# the predictions of a batch are those of the model before it
model.trainOn(trainingStream)
result = model.predictOnValues(testingStream.map(lambda point: (point.label, point.features)))
result.pprint()
model.predictOn(testingStream.map(lambda point: point.features)).pprint(2)

ssc.start()
ssc.awaitTermination()
