from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101


def update(values, state):
    return sum(values) + (state or 0)


class Sessions:
    def __init__(self, path):
        self.context = StreamingContext(SparkContext(appName="sessions"), 1)
        self.context.checkpoint(path)
        self.context.remember(60)

    def lines(self):
        return self.context.socketTextStream("localhost", 9999)

    def run(self):
        pairs = self.lines().map(lambda line: (line.split(",")[0], 1))
        totals = pairs.updateStateByKey(update, numPartitions=4)
        totals.pprint()
        recent = pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 30, 10)
        recent.transform(lambda rdd: rdd.sortBy(lambda x: x[1], ascending=False)).pprint(  # expect: D802
            5
        )
        total = pairs.countByWindow(60, 10)
        average = total / 60  # expect: D303
        self.context.start()
        self.context.awaitTermination()


Sessions("checkpoint").run()
