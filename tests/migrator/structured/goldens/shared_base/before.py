"""Counts words in a class of its own, on a base class of the project."""
import sys

from streaming_job import StreamingJob


class WordCount(StreamingJob):
    """Counts words."""

    def __init__(self, host, port, shown=5):
        super().__init__("SharedBase", host, port)
        self.shown = shown

    def process(self, lines):
        words = lines.flatMap(lambda line: line.split(" "))
        # per batch
        words.map(lambda w: (w, 1)).reduceByKey(lambda a, b: a + b).pprint(self.shown)


def main(argv):
    job = WordCount(argv[1], int(argv[2]))
    job.run()


if __name__ == "__main__":
    main(sys.argv)
