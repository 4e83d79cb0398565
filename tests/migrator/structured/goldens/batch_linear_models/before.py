"""Trains two linear models with a queue, and asks them with another one."""
from pyspark import SparkContext
from pyspark.mllib import classification
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD
from pyspark.streaming import StreamingContext


def parse(pair):
    return LabeledPoint(pair[0], Vectors.dense([pair[0] + 0.5, pair[1]]))


sc = SparkContext(appName="BatchLinearModels")
ssc = StreamingContext(sc, 1)
training = [
    sc.parallelize([(1.0, 2.0), (0.0, -1.0)], 1),
    sc.parallelize([(1.0, 3.0)], 1),
]
testing = [sc.parallelize([(1.0, 1.5), (0.0, -2.0)], 1) for _ in range(4)]
points = ssc.queueStream(training).map(parse)
tests = ssc.queueStream(testing).map(parse)

prices = StreamingLinearRegressionWithSGD(stepSize=0.2, numIterations=2)
prices.setInitialWeights([0.0, 0.0])
prices.trainOn(points)
prices.predictOnValues(tests.map(lambda point: (point.label, point.features))).pprint()

alarms = classification.StreamingLogisticRegressionWithSGD(numIterations=2, regParam=0.1)
alarms.setInitialWeights(Vectors.dense([0.0, -0.1]))
# what is predicted is not yet trained
alarms.predictOn(tests.map(lambda point: point.features)).pprint()
alarms.trainOn(points)

ssc.start()
ssc.awaitTermination()
