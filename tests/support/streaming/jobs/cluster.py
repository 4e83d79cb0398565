"""A socket job with state on two executor processes; one record makes a function fail.

It also reads files of a file system that only JVMs know.

Arguments: port of a line server, checkpoint folder, folder of files. Prints what batches held.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import BatchFailedError

TOTAL = 30


def parse(line: str) -> int:
    if line == "bad":
        raise ValueError("cannot parse bad")
    return int(line)


def main() -> None:
    conf = SparkConf().setMaster("local-cluster[2,1,1024]").setAppName("cluster")
    conf.set("spark.ui.enabled", "false").set("spark.executor.memory", "1g")
    conf.set("spark.hadoop.fs.viewfs.mounttable.files.link./in", Path(sys.argv[3]).as_uri())
    sc = SparkContext(conf=conf)
    sc.setLogLevel("OFF")
    sc.setCheckpointDir(sys.argv[2])
    ssc = StreamingContext(sc, 1)
    lines = ssc.socketTextStream("127.0.0.1", int(sys.argv[1]))
    done = threading.Event()
    totals: dict[str, int] = {}
    read: list[str] = []

    def keep(rdd: Any) -> None:
        totals.update(rdd.collect())
        if sum(totals.values()) >= TOTAL and read:
            done.set()

    words = lines.filter(lambda line: line != "bad").map(lambda line: (str(int(line) % 3), 1))
    words.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(keep)
    lines.map(parse).foreachRDD(lambda rdd: rdd.count())
    files = ssc.textFileStream("viewfs://files/in")
    files.foreachRDD(lambda rdd: read.extend(rdd.collect()))
    ssc.start()
    draft = Path(sys.argv[3], ".draft")
    draft.write_text("of another\nfile system\n")
    draft.rename(Path(sys.argv[3], "new.txt"))
    if not done.wait(90):
        print("timed out:", totals, read)
        sys.exit(3)
    print("totals:", sorted(totals.items()))
    print("files:", sorted(read))
    print("executors:", sc._jsc.sc().getExecutorMemoryStatus().size() - 1)
    try:
        ssc.awaitTerminationOrTimeout(60)
    except BatchFailedError as error:
        print("error:", str(error).splitlines()[-1])
        print("cause:", type(error.__cause__).__name__)
    ssc.stop()


if __name__ == "__main__":
    main()
