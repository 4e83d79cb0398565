from pyspark import SparkContext
from pyspark.mllib.clustering import StreamingKMeans  # expect: D106
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD  # expect: D106
from pyspark.streaming import StreamingContext  # expect: D101

sc = SparkContext(appName="online")
ssc = StreamingContext(sc, 1)
points = ssc.socketTextStream("localhost", 9009).map(
    lambda line: Vectors.dense([float(x) for x in line.split()])
)
clusters = StreamingKMeans(k=2, decayFactor=0.5)
clusters.setInitialCenters([[1.0, 1.0], [8.0, 8.0]], [1.0, 1.0])
clusters.trainOn(points)
slope = StreamingLinearRegressionWithSGD(stepSize=0.01, numIterations=5)
slope.setInitialWeights([0.0, 0.0])
slope.trainOn(points.map(lambda p: LabeledPoint(float(p[0] + p[1]), p)))


def show(rdd):
    if not rdd.isEmpty():  # expect: D802
        print(sorted(rdd.collect()))
        print([[round(float(x), 6) for x in center] for center in clusters.latestModel().centers])
        print([round(float(weight), 6) for weight in slope.latestModel().weights])


clusters.predictOnValues(points.map(lambda p: (str(p), p))).foreachRDD(show)
ssc.start()
ssc.awaitTermination()
