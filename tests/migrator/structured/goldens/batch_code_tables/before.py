"""Works with tables through a SQLContext that the whole job shares."""
from operator import add

from pyspark import SparkContext
from pyspark.sql import SQLContext
from pyspark.streaming import StreamingContext

sc = SparkContext(appName="BatchCodeTables")
ssc = StreamingContext(sc, 1)
sqlContext = SQLContext(sc)
sqlContext.setConf("spark.sql.caseSensitive", "true")
sqlContext.registerFunction("twice", lambda text: text * 2)


def process(rdd):
    if rdd.isEmpty():
        return
    whole = rdd.zipWithIndex().map(lambda pair: pair[0]).reduce(add)
    sqlContext.createDataFrame([(whole,)], ["line"]).createOrReplaceTempView("batch")
    print(sqlContext.tableNames())
    sqlContext.cacheTable("batch")
    print(sqlContext.sql("select twice(line) as twice from batch").collect()[0][0])
    sqlContext.uncacheTable("batch")
    sqlContext.dropTempTable("batch")
    print(sqlContext.getConf("spark.sql.caseSensitive"))


ssc.socketTextStream("localhost", 9999).foreachRDD(process)
ssc.start()
ssc.awaitTermination()
