# coding: windows-1252
# café: helpers for pairs; this module never names Spark


def count(pairs):
    print "café"  # expect: D010=fixed
    return pairs.reduceByKey(lambda a, b: a + b)
