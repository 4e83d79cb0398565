def to_point(line):
    values = line.split(",")
    return [float(v) for v in values]


def floats(values):
    return list(values.map(float))
