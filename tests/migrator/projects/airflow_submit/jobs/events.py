import sys

sys.path.append("lib")

from lib.common import start_streaming  # noqa: E402


def main():
    ssc = start_streaming("events")
    events = ssc.textFileStream(sys.argv[1])
    events.foreachRDD(lambda rdd: print(rdd.count()))  # expect: D802
    ssc.start()
    ssc.awaitTermination()


main()
