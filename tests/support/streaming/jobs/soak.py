"""A stateful, windowed job over files that runs for many batches and measures itself.

Arguments: checkpoint folder, input folder, output file, batches to run, batches between samples.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

from pyspark import SparkConf, SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.jobs import totals
from tests.support.streaming.resources import Tree, folder_size

KEYS, WORDS = 2_000, 400


def track(key: str, value: int | None, state: Any) -> tuple[str, int]:
    if state.isTimingOut():
        return key, -state.get()
    state.update((state.getOption() or 0) + (value or 0))
    return key, state.get()


def setup() -> StreamingContext:
    conf = SparkConf().setMaster("local[2]").setAppName("soak")
    conf.set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    # old changes of the state are deleted so often that how fast batches run does not matter
    conf.set("spark.sql.streaming.stateStore.maintenanceInterval", "5s")
    ssc = StreamingContext(SparkContext(conf=conf), 1)
    ssc.checkpoint(sys.argv[1])
    pairs = ssc.textFileStream(sys.argv[2]).flatMap(str.split).map(lambda word: (word, 1))
    tracked = pairs.mapWithState(StateSpec.function(track).timeout(30))
    tracked.count().foreachRDD(lambda rdd: rdd.collect())
    windows = pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 20, 2)
    windows.foreachRDD(lambda rdd: rdd.count())
    counts = pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0))
    counts.foreachRDD(totals.keep)
    return ssc


def sample(sc: Any, batch: int) -> dict[str, float]:
    sc._jvm.java.lang.System.gc()
    runtime = sc._jvm.java.lang.Runtime.getRuntime()
    tree = Tree.of(os.getpid())
    return {
        "batch": batch,
        "cpu": tree.cpu,
        "driver": tree.resident(os.getpid()),
        "heap": (runtime.totalMemory() - runtime.freeMemory()) / 2**20,
        "java": tree.resident_of("java"),
        "workers": tree.resident_of("python") - tree.resident(os.getpid()),
        "processes": tree.count,
        "files": tree.open_files,
        "checkpoint": folder_size(Path(sys.argv[1])),
    }


def main() -> None:
    folder, batches, every = Path(sys.argv[2]), int(sys.argv[4]), int(sys.argv[5])
    rng = random.Random(1)
    ssc = StreamingContext.getOrCreate(sys.argv[1], setup)
    ssc.sparkContext.setLogLevel("OFF")
    ssc.start()
    clock = ManualClock(ssc)
    for batch in range(1, batches + 1):
        path = folder / f"part-{batch}"
        path.write_text(" ".join(f"k{rng.randrange(KEYS)}" for _ in range(WORDS)) + "\n")
        os.utime(path, (batch, batch))
        (folder / f"part-{batch - 100}").unlink(missing_ok=True)
        clock.advance(1)
        while not totals.wait(float(batch), 0.2):
            ssc.awaitTerminationOrTimeout(0.01)
        if batch % every == 0:
            with open(sys.argv[3], "a") as stream:
                stream.write(json.dumps(sample(ssc.sparkContext, batch)) + "\n")
    ssc.stop()


if __name__ == "__main__":
    main()
