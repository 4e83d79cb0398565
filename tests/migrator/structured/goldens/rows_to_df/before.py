from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext


def to_row(word):
    if word.startswith("#"):
        return Row(kind="tag", text=word, letters=len(word) - 1)
    return Row(kind="word", text=word, letters=len(word))


def main():
    sc = SparkContext(appName="Words")
    ssc = StreamingContext(sc, 1)
    words = ssc.socketTextStream("localhost", 9999).flatMap(lambda line: line.split(" "))
    rows = words.filter(lambda word: word != "").map(to_row)
    rows.pprint(3)

    def process(time, rdd):
        if rdd.isEmpty():
            return
        spark = SparkSession.builder.getOrCreate()
        spark.createDataFrame(rdd).groupBy("kind").sum("letters").show()
        rdd.toDF(["a", "b", "c"]).orderBy("b").show()
        for row in sorted(rdd.collect()):
            print(row, row.asDict())
        names = rdd.filter(lambda row: row.letters > 3).map(lambda row: (row.text, row["kind"]))
        print(sorted(names.collect()))

    rows.foreachRDD(process)
    ssc.start()
    ssc.awaitTermination()


main()
