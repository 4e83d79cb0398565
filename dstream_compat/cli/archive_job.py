"""A small job that loads what most jobs load; see ``archive``."""

from __future__ import annotations

import operator
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from pyspark import SparkConf, SparkContext

from ..context import StreamingContext
from ..spark.socket_folder import SOCKETS

_BATCHES: Final = 4
_SECONDS: Final = 120


def run_job(folder: Path) -> None:
    """Run one query without state and one with it, in one task and in stages.

    Parameters
    ----------
    folder : Path
        for the checkpoint
    """
    conf = SparkConf().setMaster("local[2]").setAppName("archive").set(SOCKETS, "true")
    with SparkContext(conf=conf) as sc:
        sc.setLogLevel("ERROR")
        sc.setCheckpointDir(str(folder / "rdds"))
        for stateful in (False, True):
            _run_query(sc, stateful)
        gateway: Any = SparkContext._gateway
    # The JVM ends when its standard input does; then it writes the archive.
    gateway.proc.stdin.close()
    gateway.proc.wait()


def _run_query(sc: SparkContext, stateful: bool) -> None:
    ssc = StreamingContext(sc, 0.2)
    lines: list[list[str]] = [["a b a"], [], ["b c"] * 20] * _BATCHES
    pairs = ssc.queueStream(lines).flatMap(str.split).map(lambda word: (word, 1))
    counts = pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)) if stateful else pairs
    counts.reduceByKey(operator.add).foreachRDD(lambda rdd: rdd.collect())
    seen: list[int] = []
    done = threading.Event()

    def count(rdd: Any) -> None:
        seen.append(rdd.map(abs).count())
        if len(seen) == _BATCHES:
            done.set()

    pairs.reduceByKeyAndWindow(operator.add, operator.sub, 0.4).count().foreachRDD(count)
    ssc.start()
    try:
        if not done.wait(_SECONDS):
            raise TimeoutError(f"{len(seen)} of {_BATCHES} batches in {_SECONDS} s")
    finally:
        ssc.stop(stopSparkContext=False)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        run_job(Path(scratch))
