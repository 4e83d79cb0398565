"""Nothing here imports Spark."""


def clean(lines):
    lines.filter(lambda line: line.strip())  # expect: D502
    return lines.map(lambda line: line.split(" ")).filter(lambda fields: len(fields) > 2)


def count(fields, window):
    pairs = fields.map(lambda f: (f[1], 1))
    return pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, window, 10)
