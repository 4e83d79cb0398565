"""What an interval costs the driver, by partitions of state, files and partitions of Kafka.

``python -m benchmarks.limits [--intervals N] [NAME ...]`` runs one small job for each size, in a
process of its own, on ``local-cluster[2,1,1024]``, whose executors are other processes. It prints
the CPU milliseconds that the driver (its Python and its JVM, no children) uses for an interval, the
wall time of one, and the straight line through the smallest and the largest size: what an interval
costs in any case, and each one more. CPU time tells more than wall time on a busy machine.

    state    updateStateByKey with so many partitions, intervals without input
    files    textFileStream, so many new files of one line in each interval
    listed   textFileStream, a folder with so many old files, intervals without input
    kafka    createDirectStream over so many partitions, intervals without input
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from .harness.run import ROOT

SIZES: Final = {
    "state": (2, 50, 200, 400),
    "files": (1, 100, 1000),
    "listed": (1, 1000, 10_000),
    "kafka": (1, 40, 400),
}
MASTER: Final = "local-cluster[2,1,1024]"
TOPIC: Final = "events"
WARM_UP: Final = 5
DEADLINE: Final = 600.0
ENDED: Final = threading.Event()
"""A batch has ended."""
COUNTS: Final[list[int]] = []
"""The records of the batches."""
_TICKS: Final = os.sysconf("SC_CLK_TCK")

Prepare = Callable[[int], None]
"""Prepares the input of an interval."""


def own_cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / _TICKS


def write_files(folder: Path, number: int, count: int) -> None:
    """Write files of one line that belong to an interval, and remove those of earlier ones."""
    for path in folder.glob(f"{number - 2}-*"):
        path.unlink()
    for index in range(count):
        path = folder / f"{number}-{index}"
        path.write_text("a line\n")
        os.utime(path, (number - 0.5, number - 0.5))


def build(ssc: Any, name: str, size: int, folder: Path, address: str) -> tuple[Any, Prepare]:
    """Return the stream that a measure is about, and what its input needs."""
    place = folder / "in"
    place.mkdir()
    if name == "kafka":
        from dstream_compat.kafka import KafkaUtils

        params = {"metadata.broker.list": address}
        return KafkaUtils.createDirectStream(ssc, [TOPIC], params), lambda _: None
    lines = ssc.textFileStream(str(place))
    if name == "files":
        return lines, lambda number: write_files(place, number, size)
    if name == "listed":
        write_files(place, -100_000, size)
        return lines, lambda _: None
    pairs = lines.map(lambda line: (line, 1))
    return pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0), size), lambda _: None


def measure(name: str, size: int, intervals: int, folder: Path, address: str, jars: str) -> None:
    """Run a job in this process, and print its figures as JSON."""
    from pyspark import SparkConf, SparkContext

    from dstream_compat import StreamingContext
    from dstream_compat.testing import ManualClock

    os.environ["PYSPARK_PYTHON"] = sys.executable
    conf = SparkConf().setMaster(MASTER).setAppName("limits")
    for key, value in (
        ("spark.ui.enabled", "false"),
        ("spark.ui.showConsoleProgress", "false"),
        ("spark.executorEnv.PYTHONPATH", str(ROOT)),
        ("spark.log.level", "ERROR"),
        ("spark.streaming.clock", "org.apache.spark.util.ManualClock"),
        *([("spark.jars", jars)] if jars else []),
    ):
        conf.set(key, value)
    sc: Any = SparkContext(conf=conf)
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(folder / "checkpoint"))
    stream, prepare = build(ssc, name, size, folder, address)
    from benchmarks.limits import COUNTS, ENDED  # those of the module, not of the main program

    def note(rdd: Any) -> None:
        from benchmarks.limits import COUNTS, ENDED  # the checkpoint has the function

        COUNTS.append(rdd.count())
        ENDED.set()

    stream.foreachRDD(note)
    processes = os.getpid(), int(sc._jvm.java.lang.ProcessHandle.current().pid())
    ssc.start()
    clock = ManualClock(ssc)
    used, seconds = [], []
    for number in range(1, WARM_UP + intervals + 1):
        prepare(number)
        ENDED.clear()
        cpu, begun = sum(map(own_cpu, processes)), time.perf_counter()
        clock.advance(1)
        if not ENDED.wait(DEADLINE):
            raise TimeoutError(f"{name} {size}: no batch has ended")
        seconds.append(time.perf_counter() - begun)
        used.append(sum(map(own_cpu, processes)) - cpu)
        expected = size if name == "files" else 0
        if COUNTS[-1] != expected:
            raise AssertionError(f"{name} {size}: {COUNTS[-1]} records instead of {expected}")
    ssc.stop()
    figures = {
        "cpu": 1000 * statistics.fmean(used[WARM_UP:]),
        "wall": 1000 * statistics.median(seconds[WARM_UP:]),
    }
    print(json.dumps(figures))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SIZES)}")
    parser.add_argument("--intervals", type=int, default=20, help="measured for each size")
    parser.add_argument("--job", nargs=6, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        name, size, intervals, folder, address, jars = options.job
        measure(name, int(size), int(intervals), Path(folder), address, jars)
        return
    if unknown := [name for name in options.names if name not in SIZES]:
        parser.error(f"no such measure: {', '.join(unknown)}; there are {', '.join(SIZES)}")
    print(f"{'measure':8} {'size':>7} {'driver CPU ms':>14} {'wall ms':>9}")
    for name in options.names or SIZES:
        with contextlib.ExitStack() as stack:
            costs = {}
            for size in SIZES[name]:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="limits-"))
                address, jars = (
                    stack.enter_context(topic(Path(folder), size)) if name == "kafka" else ("", "")
                )
                given = [name, str(size), str(options.intervals), folder, address, jars]
                done = subprocess.run(
                    [sys.executable, "-m", "benchmarks.limits", "--job", *given],
                    cwd=ROOT,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                if done.returncode:
                    sys.exit(f"{name} {size} failed")
                figures = json.loads(done.stdout.splitlines()[-1])
                costs[size] = figures["cpu"]
                print(
                    f"{name:8} {size:7,} {figures['cpu']:14.1f} {figures['wall']:9.1f}", flush=True
                )
            least, most = min(costs), max(costs)
            slope = (costs[most] - costs[least]) / (most - least)
            print(f"{name}: {costs[least] - slope * least:.1f} ms + {slope:.3f} ms for each one")


@contextlib.contextmanager
def topic(folder: Path, partitions: int) -> Any:
    """Run a broker with a topic of so many partitions; gives its address and Spark's connector."""
    from tests.support.components import jars
    from tests.support.components.kafka import Broker

    cache = Path(tempfile.gettempdir(), "dstream-compat-jars")
    (folder / "broker").mkdir()
    broker = Broker(jars.broker(cache), folder / "broker")
    try:
        broker.start()
        broker.create(TOPIC, partitions)
        yield broker.address, ",".join(map(str, jars.connector(cache)))
    finally:
        broker.stop()


if __name__ == "__main__":
    main()
