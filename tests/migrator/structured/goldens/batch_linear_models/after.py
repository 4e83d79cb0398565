# Needs Spark 3.3 or newer.

"""Trains two linear models with a queue, and asks them with another one."""
from pyspark.sql import SparkSession
from pyspark.mllib import classification
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD
from pyspark.mllib.regression import LinearRegressionWithSGD


def parse(pair):
    return LabeledPoint(pair[0], Vectors.dense([pair[0] + 0.5, pair[1]]))


spark = SparkSession.builder.appName("BatchLinearModels").getOrCreate()
training = [
    spark.sparkContext.parallelize([(1.0, 2.0), (0.0, -1.0)], 1),
    spark.sparkContext.parallelize([(1.0, 3.0)], 1),
]
testing = [spark.sparkContext.parallelize([(1.0, 1.5), (0.0, -2.0)], 1) for _ in range(4)]
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    records = training.pop(0) if training else spark.sparkContext.parallelize([], 1)
    points = records.map(parse).cache()
    records2 = testing.pop(0) if testing else spark.sparkContext.parallelize([], 1)
    tests = records2.map(parse)
    records3 = (
        tests.map(lambda point: (point.label, point.features))
        .mapValues(lambda point: prices.latestModel().predict(point))
    )
    for record in records3.take(11)[:10]:
        print(record)
    # what is predicted is not yet trained
    records3 = (
        tests.map(lambda point: point.features)
        .map(lambda point: alarms.latestModel().predict(point))
    )
    for record in records3.take(11)[:10]:
        print(record)
    train_prices(points)
    train_alarms(points)
    points.unpersist()


prices = StreamingLinearRegressionWithSGD(stepSize=0.2, numIterations=2)
prices.setInitialWeights([0.0, 0.0])

alarms = classification.StreamingLogisticRegressionWithSGD(numIterations=2, regParam=0.1)
alarms.setInitialWeights(Vectors.dense([0.0, -0.1]))


def train_prices(rdd):
    if not rdd.isEmpty():
        trained = LinearRegressionWithSGD.train(
            rdd,
            prices.numIterations,
            prices.stepSize,
            prices.miniBatchFraction,
            prices.latestModel().weights,
            convergenceTol=prices.convergenceTol,
        )
        prices.setInitialWeights(trained.weights)


def train_alarms(rdd):
    if not rdd.isEmpty():
        trained = classification.LogisticRegressionWithSGD.train(
            rdd,
            alarms.numIterations,
            alarms.stepSize,
            alarms.miniBatchFraction,
            alarms.latestModel().weights,
            regParam=alarms.regParam,
            convergenceTol=alarms.convergenceTol,
        )
        alarms.setInitialWeights(trained.weights)


query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
