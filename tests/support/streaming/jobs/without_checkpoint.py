"""Makes a DataFrame of a stream without naming a folder, so that it gets a temporary one."""

from __future__ import annotations

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main() -> None:
    sc = SparkContext(appName="without checkpoint")
    ssc = StreamingContext(sc, 1)
    print(ssc.queueStream([["a"]]).to_dataframe("word string").columns)
    ssc.stop()


if __name__ == "__main__":
    main()
