from pyspark.streaming.kafka import KafkaUtils  # expect: D101


def open_source(ssc, config):
    if config["source"] == "kafka":
        params = {"metadata.broker.list": config["brokers"]}
        stream = KafkaUtils.createDirectStream(ssc, config["topics"], params)  # expect: D202
        return stream.map(lambda pair: pair[1])
    return ssc.socketTextStream(config["host"], config["port"])
