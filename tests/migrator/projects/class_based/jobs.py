from base import StreamingJob


class FileJob(StreamingJob):
    folder = "in"

    def source(self):
        return self.ssc.textFileStream(self.folder)

    def process(self, stream):
        return stream.map(self.parse).filter(None)

    def parse(self, line):
        return line.split(",")


class CountingJob(FileJob):
    def process(self, stream):
        rows = super().process(stream)
        return (
            rows.map(lambda row: (row[0], 1)).reduceByKey(lambda a, b: a + b).sortByKey()  # expect: D301
        )


class SocketJob(FileJob):
    def source(self):
        return self.ssc.socketTextStream("localhost")  # expect: D305


def main():
    for job in (FileJob, CountingJob, SocketJob):
        job(job.__name__).run()


main()
