from offsets import Store
from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition  # expect: D101 D101


class Consumer:
    def __init__(self, topics, params):
        self.store = Store("localhost")
        self.ranges = []
        self.ssc = StreamingContext(SparkContext(appName="consumer"), 5)
        start = {
            TopicAndPartition(topic, partition): offset
            for topic, partition, offset in self.store.load(topics)
        }
        self.stream = KafkaUtils.createDirectStream(self.ssc, topics, params, start)  # expect: D202

    def attach(self, batch_time, rdd):
        self.ranges = rdd.offsetRanges()
        return rdd

    def commit(self, rdd):
        for part in self.ranges:
            self.store.save(part.topic, part.partition, part.untilOffset)

    def commit_again(self, rdd):
        for part in rdd.offsetRanges():  # expect: D306
            self.store.save(part.topic, part.partition, part.untilOffset)

    def run(self):
        values = self.stream.transform(self.attach).map(lambda x: x[1])  # expect: D304
        values.foreachRDD(lambda rdd: rdd.foreach(print))  # expect: D802
        values.foreachRDD(self.commit)  # expect: D304
        values.foreachRDD(self.commit_again)  # expect: D304
        self.ssc.start()
        self.ssc.awaitTermination()


Consumer("events", {"bootstrap.servers": "b:9092"}).run()
