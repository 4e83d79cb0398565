from pyspark import RDD
from pyspark.sql import DataFrame
from pyspark.streaming import DStream  # expect: D101


def write(data, path):
    if isinstance(data, DStream):
        data.saveAsTextFiles(path)
    elif isinstance(data, RDD):
        data.collect()
    elif isinstance(data, (DataFrame, list)):
        data.show()
    else:
        raise TypeError(type(data))


def first(data):
    if not isinstance(data, DStream):
        return data.first()
    return data.first()  # expect: D301


def sizes(*many):
    return [item.count() for item in many if isinstance(item, DStream)]
