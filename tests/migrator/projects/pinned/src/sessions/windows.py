"""Sliding counts; nothing here imports Spark."""

from operator import add, sub


def fields(line):
    user, page, seconds = line.split(",")
    return user, page, int(seconds)


def visits(lines):
    pairs = lines.map(fields).map(lambda visit: (visit[1], 1))
    return pairs.reduceByKeyAndWindow(add, sub, 6, 2).filter(lambda pair: pair[1] > 0)


def longest(lines):
    times = lines.map(fields).map(lambda visit: (visit[0], visit[2]))
    return times.reduceByKey(max).mapValues(lambda seconds: seconds / 60)
