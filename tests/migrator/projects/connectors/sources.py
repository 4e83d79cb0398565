from pyspark.streaming.flume import FlumeUtils  # expect: D101
from pyspark.streaming.kinesis import InitialPositionInStream, KinesisUtils  # expect: D101 D101
from pyspark.streaming.mqtt import MQTTUtils  # expect: D101


def flume(ssc):
    pushed = FlumeUtils.createStream(ssc, "localhost", 9999)  # expect: D203
    polled = FlumeUtils.createPollingStream(ssc, [("localhost", 9998)])  # expect: D203
    return pushed.union(polled)


def kinesis(ssc, name):
    return KinesisUtils.createStream(  # expect: D205
        ssc, name, "events", "https://kinesis", "us-east-1", InitialPositionInStream.LATEST, 2
    )


def mqtt(ssc):
    return MQTTUtils.createStream(ssc, "tcp://localhost:1883", "events")  # expect: D204


SOURCES = {"flume": flume, "kinesis": lambda ssc: kinesis(ssc, "app"), "mqtt": mqtt}
