"""SQL in each batch, as with Spark 1."""

from pyspark import SparkContext
from pyspark.sql import Row, SQLContext
from pyspark.streaming import StreamingContext  # expect: D101


def sql_context(sc):
    if "shared" not in globals():
        globals()["shared"] = SQLContext(sc)  # expect: D801
    return globals()["shared"]


def process(time, rdd):
    print("========= %s =========" % time)
    if rdd.count() == 0:  # expect: D802
        return
    context = sql_context(rdd.context)
    rows = rdd.map(lambda fields: Row(word=fields[0], amount=int(fields[1])))
    frame = context.createDataFrame(rows)
    frame.createOrReplaceTempView("amounts")
    found = context.sql("select word, sum(amount) as total from amounts group by word order by word")
    for row in found.collect():
        print(row.word, row.total)
    frame.filter(frame.amount > 2).select("word").distinct().orderBy("word").show()


if __name__ == "__main__":
    sc = SparkContext(appName="sql")
    ssc = StreamingContext(sc, 2)
    lines = ssc.socketTextStream("localhost", 9012)
    lines.map(lambda line: line.split(":")).filter(lambda f: len(f) == 2).foreachRDD(process)
    ssc.start()
    ssc.awaitTermination()
