"""Shows the batch times of half hours around moments, and what is made of them.

Arguments: engine (real or ours), folder, moments (seconds since the epoch). Batches are those of
half an hour before each moment, of the moment, and of the two half hours behind it.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pyspark.streaming as real
from pyspark import SparkConf, SparkContext

import dstream_compat as ours
from dstream_compat.state import State, StateSpec
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder

HALF_HOUR = 1800
BATCHES = 4


def shown(time: datetime) -> str:
    return f"{time} {time.tzinfo} {time.fold}"


def in_worker(time: datetime, key: int, value: int | None, state: State[Any]) -> str:
    return shown(time)


def run(engine: Any, sc: SparkContext, folder: Path, moment: int) -> None:
    ssc, recorder, times = engine.StreamingContext(sc, HALF_HOUR), Recorder(), []
    ssc.remember(10 * HALF_HOUR)
    clock = ManualClock(ssc)
    clock.advance(moment - 2 * HALF_HOUR)
    numbers = ssc.queueStream([[number] for number in range(BATCHES)])

    def add_time(time: datetime, rdd: Any) -> Any:
        text = shown(time)
        return rdd.map(lambda number: (number, text))

    def note(time: datetime, rdd: Any) -> None:
        times.append(time)
        print("output", shown(time), time.timestamp(), rdd.collect())

    numbers.transform(add_time).pprint()
    numbers.saveAsTextFiles(str(folder / "out"))
    if engine is ours:
        told: Any = numbers.map(lambda number: (number, number))
        told.mapWithState(StateSpec.function(in_worker)).foreachRDD(
            lambda time, rdd: print("worker", rdd.collect() == [shown(time)])
        )
    numbers.foreachRDD(note)
    numbers.foreachRDD(recorder.last())
    ssc.start()
    for number in range(1, BATCHES + 1):
        clock.advance(HALF_HOUR)
        recorder.wait(moment + (number - 2) * HALF_HOUR)

    def between(begin: datetime, end: datetime) -> list[Any]:
        return [rdd.collect() for rdd in numbers.slice(begin, end)]

    plain = [time.replace(fold=0) for time in times]
    print("slices", [between(time, time) for time in times], between(times[0], times[-1]))
    print("without fold", [between(time, time) for time in plain], between(plain[0], plain[-1]))
    ssc.stop(stopSparkContext=False)
    saved = [
        (path.name, "".join(part.read_text() for part in sorted(path.glob("part-*"))))
        for path in sorted(folder.iterdir())
    ]
    print("saved", saved)


def main() -> None:
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.log.level", "OFF")
    sc = SparkContext(conf=conf)
    sc.pythonExec = sys.executable
    engine = {"real": real, "ours": ours}[sys.argv[1]]
    for moment in map(int, sys.argv[3:]):
        folder = Path(sys.argv[2]) / str(moment)
        folder.mkdir(parents=True)
        sc.setCheckpointDir(tempfile.mkdtemp(dir=sys.argv[2]))
        run(engine, sc, folder, moment)
    sc.stop()


if __name__ == "__main__":
    main()
