import sys

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="Frames")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
pairs = lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, len(word)))


def show(rdd):
    if rdd.isEmpty():
        return
    sqlContext = SQLContext(rdd.context)
    frame = sqlContext.createDataFrame(rdd, ["word", "letters"])
    frame.createOrReplaceTempView("words")
    sqlContext.sql("SELECT letters, count(*) AS n FROM words GROUP BY letters").show()
    # by length
    by_length = rdd.map(lambda pair: (pair[1], 1)).reduceByKey(lambda a, b: a + b)
    by_length.toDF(["letters", "words"]).orderBy("letters").show()
    rdd.toDF(schema=["word", "letters"]).groupBy("word").max("letters").show(5)


def save(rdd):
    if not rdd.isEmpty():
        spark = SQLContext.getOrCreate(rdd.context)
        spark.createDataFrame(rdd).show()


pairs.foreachRDD(show)
pairs.foreachRDD(lambda rdd: save(rdd))
ssc.start()
ssc.awaitTermination()
