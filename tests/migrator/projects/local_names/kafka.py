class KafkaUtils:
    """Not Spark's."""

    @staticmethod
    def createStream(host):
        return Stream(host)


class Stream:
    def __init__(self, host):
        self.host = host

    def map(self):
        return self

    def pprint(self):
        print(self.host)

    def toDF(self):
        return []
