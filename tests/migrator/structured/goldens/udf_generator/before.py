import re
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext

FIELD = re.compile(r"(\w+)=(\S*)")
NAMES = {"u": "user", "t": "time"}


def fields(line):
    for name, text in FIELD.findall(line):
        if name == "end":
            return
        try:
            yield NAMES.get(name, name), float(text)
        except ValueError:
            continue


def main():
    sc = SparkContext(appName="Fields")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    # all numbers of a line
    numbers = lines.flatMap(fields)
    numbers.reduceByKey(lambda a, b: a + b).pprint()
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main()
