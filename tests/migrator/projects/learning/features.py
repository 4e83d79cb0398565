def to_point(line):
    values = line.split(",")
    return [float(v) for v in values.map(float)]
