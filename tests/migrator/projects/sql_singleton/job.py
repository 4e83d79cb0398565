from pyspark import SparkContext
from pyspark.sql import Row, SQLContext
from pyspark.streaming import StreamingContext  # expect: D101
from sql import get_session, report

sc = SparkContext(appName="sql")
ssc = StreamingContext(sc, 1)
model = sc.broadcast({"a": 1})
seen = sc.accumulator(0)


def get_sql_context(spark_context):
    if "sqlContext" not in globals():
        globals()["sqlContext"] = SQLContext(spark_context)  # expect: D801
    return globals()["sqlContext"]


def process(time, rdd):
    print("=========", time)
    try:
        rows = rdd.map(lambda w: Row(word=w, known=w in model.value))  # expect: D802
        frame = get_sql_context(rdd.context).createDataFrame(rows)
        frame.createOrReplaceTempView("words")
        report(get_session(), rdd)
        seen.add(rdd.count())
    except ValueError:
        pass


ssc.socketTextStream("localhost", 9999).flatMap(str.split).foreachRDD(process)
ssc.start()
ssc.awaitTermination()
