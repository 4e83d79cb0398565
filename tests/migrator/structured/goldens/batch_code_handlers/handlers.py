"""What is done with the orders of a batch: no code of streams."""


def parsed(rdd):
    return rdd.map(lambda line: line.split(",")).filter(lambda parts: len(parts) == 2)


def without(_, rdd, other):
    return rdd.subtract(other)


class Sink:
    """Appends what it is given to a file."""

    def __init__(self, path):
        self.path = path

    def save(self, time, rdd):
        with open(self.path, "a") as file:
            for pair in sorted(rdd.collect()):
                file.write("%s=%s\n" % tuple(pair))

    @staticmethod
    def show(rdd):
        print(rdd.count(), "of", rdd.map(lambda pair: pair[0]).distinct().count())
