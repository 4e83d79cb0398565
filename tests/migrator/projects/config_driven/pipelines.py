class Files:
    def __init__(self, config):
        self.config = config

    def build(self, ssc):
        return ssc.textFileStream(self.config["folder"])


class Sockets:
    def __init__(self, config):
        self.hosts = config["hosts"]

    def build(self, ssc):
        streams = [ssc.socketTextStream(h, p) for h, p in self.hosts]
        return ssc.union(*streams)
