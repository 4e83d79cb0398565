"""A job whose event log is written: its records, its settings and its variables are marked.

Arguments: master, folder of the log, port of a line server, further settings as name=value. Prints
what the last record saw of a variable that was changed.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from pyspark import SparkConf, SparkContext

import dstream_compat
from dstream_compat import StreamingContext

captured = "CAPTURED-0"
changed: list[str] = []
done = threading.Event()


def mark(line: str) -> str:
    return f"{line} {captured}"


def change(rdd: Any) -> None:
    global captured
    changed.extend(rdd.collect())
    captured = f"CAPTURED-{len(changed)}"
    if changed and not changed[-1].endswith("CAPTURED-0"):
        done.set()


def main() -> None:
    master, log, port, *settings = sys.argv[1:]
    dstream_compat.install()
    conf = SparkConf().setMaster(master).setAppName("logged").set("spark.ui.enabled", "false")
    conf.set("spark.eventLog.enabled", "true").set("spark.eventLog.dir", f"file://{log}")
    conf.set("spark.eventLog.rolling.enabled", "false").set("spark.eventLog.compress", "false")
    conf.set("spark.hadoop.fs.s3a.secret.key", "SETTING-1").set("spark.mine.password", "SETTING-2")
    conf.set("spark.streaming.compat.partitions", "2").set("spark.executor.memory", "1g")
    for each in settings:
        conf.set(*each.split("="))
    sc = SparkContext(conf=conf)
    sc.setLogLevel("OFF")
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("127.0.0.1", int(port))
    lines.map(mark).repartition(2).foreachRDD(change)
    ssc.start()
    if not done.wait(240):
        print("timed out:", changed)
        sys.exit(3)
    ssc.stop()
    print("seen", changed[-1])


if __name__ == "__main__":
    main()
