# Needs Spark 3.3 or newer.

"""Trains a model with one queue, and asks it with another."""
from pyspark.sql import SparkSession
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint


def parse(number, values):
    return LabeledPoint(number, Vectors.dense(values))


spark = SparkSession.builder.appName("BatchCodeKMeans").getOrCreate()
training = [
    spark.sparkContext.parallelize([Vectors.dense([0.0, 0.1]), Vectors.dense([9.0, 9.1])], 1),
    spark.sparkContext.parallelize([Vectors.dense([20.0, 20.0]), Vectors.dense([21.0, 21.0])], 1),
    spark.sparkContext.parallelize([Vectors.dense([5.0, 5.0])], 1),
]
testing = [
    spark.sparkContext.parallelize([parse(1, [0.2, 0.0]), parse(2, [4.5, 4.5]), parse(3, [9.0, 9.0])], 1),
    spark.sparkContext.parallelize([parse(1, [0.2, 0.0]), parse(2, [4.5, 4.5]), parse(3, [9.0, 9.0])], 1),
    spark.sparkContext.parallelize([parse(4, [16.0, 16.0]), parse(5, [3.0, 3.0])], 1),
]
ticks = (
    spark.readStream.format("rate-micro-batch")
    .option("rowsPerBatch", 1)
    .option("numPartitions", 1)
    .load()
)


def process_batch(batch, batch_id):
    trainingStream = training.pop(0) if training else spark.sparkContext.parallelize([], 1)
    testingStream = testing.pop(0) if testing else spark.sparkContext.parallelize([], 1)
    result = (
        testingStream.map(lambda point: (point.label, point.features))
        .mapValues(lambda point: model.latestModel().predict(point))
    )
    for record in result.take(11)[:10]:
        print(record)
    records = (
        testingStream.map(lambda point: point.features)
        .map(lambda point: model.latestModel().predict(point))
    )
    for record in records.take(3)[:2]:
        print(record)
    # the predictions of a batch are those of the model before it
    model.latestModel().update(trainingStream, 0.5, "batches")


model = StreamingKMeans(k=2, decayFactor=0.5).setRandomCenters(2, 1.0, 0)

query = ticks.writeStream.foreachBatch(process_batch).trigger(processingTime="1 second").start()
query.awaitTermination()
