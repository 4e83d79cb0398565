"""Files of a Hadoop file system that Python cannot open: who reads them, and how fast.

``python -m benchmarks.hadoop_files [--master MASTER] [--files N] [--megabytes N] [NAME ...]``
lets each engine read the same files in one batch, ``map(len)`` and a sum over their lines, in a
process of its own. Prints the megabytes per second of the median batch behind the first one, the
CPU seconds of the cheapest one, and the megabytes that the driver's JVM has read in the last one.
A master ``local-cluster[2,1,1024]`` has executors of their own, ``local[2]`` (the default) reads in
the driver's JVM in any case.

    compat       textFileStream of this package
    dstreams     textFileStream of pyspark.streaming
    text         spark.read.text and mapInArrow: no stream, lines as rows
    binary       the same with the format binaryFile: files as rows
    count        spark.read.text(...).count(): no Python
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .harness.processes import tree_cpu
from .harness.run import ROOT

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import SparkContext

ENGINES: Final = ("compat", "dstreams", "text", "binary", "count")
LINE: Final = b"x" * 99 + b"\n"
ROUNDS: Final = 4
MOUNT: Final = "fs.viewfs.mounttable.benchmark.link./data"
DEADLINE: Final = 1200.0

Batch = Callable[[int], int]
"""Reads the files of a round; returns the sum over their lines."""


def write(folder: Path, files: int, megabytes: int) -> None:
    """Write the files of the first round."""
    block = LINE * 10_000
    for number in range(files):
        with (folder / f"0-{number}").open("wb") as stream:
            for _ in range(megabytes):
                stream.write(block)


def renew(folder: Path, round_number: int) -> None:
    """Make new files of those of the round before."""
    for path in list(folder.iterdir()):
        at = folder / f"{round_number}-{path.name.rpartition('-')[2]}"
        path.rename(at)
        os.utime(at, (round_number + 0.5, round_number + 0.5))


def streamed(sc: SparkContext, make: Any, url: str) -> Iterator[Batch]:
    """Yield the batches of a stream of a folder."""
    from dstream_compat.testing import ManualClock

    sums: list[int] = []
    done = threading.Event()

    def keep(rdd: Any) -> None:
        found = rdd.collect()
        if found:
            sums.extend(found)
            done.set()

    ssc = make(sc, 1)
    ssc.textFileStream(url).map(len).reduce(add).foreachRDD(keep)
    ssc.start()
    clock = ManualClock(ssc)

    def batch(_: int) -> int:
        done.clear()
        clock.advance(1)
        if not done.wait(DEADLINE):
            raise TimeoutError("no batch has ended")
        return sums.pop()

    try:
        clock.advance(1)
        yield batch
    finally:
        ssc.stop(stopSparkContext=False)


def planned(sc: SparkContext, engine: str, url: str) -> Iterator[Batch]:
    """Yield batches that Spark's own file source reads."""
    from pyspark.sql import SparkSession

    session = SparkSession(sc)

    def lengths(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            values = batch.column(0).to_pylist()
            if engine == "binary":
                values = [line for value in values for line in value.decode().splitlines()]
            total = sum(map(len, values))
            yield pa.RecordBatch.from_pydict({"total": pa.array([total], pa.int64())})

    def batch(number: int) -> int:
        if engine == "binary":
            lines = session.read.format("binaryFile").load(f"{url}/{number}-*").select("content")
        else:
            lines = session.read.text(f"{url}/{number}-*")
        if engine == "count":
            return lines.count() * (len(LINE) - 1)
        return sum(row.total for row in lines.mapInArrow(lengths, "total long").collect())

    yield batch


def measure(engine: str, master: str, folder: Path) -> dict[str, float]:
    """Run an engine in this process; returns MB/s, and the megabytes that the driver has read."""
    import pyspark.streaming
    from pyspark import SparkConf, SparkContext

    import dstream_compat

    os.environ["PYSPARK_PYTHON"] = sys.executable
    conf = SparkConf().setMaster(master).setAppName("files")
    for name, value in (
        ("spark.ui.enabled", "false"),
        ("spark.ui.showConsoleProgress", "false"),
        ("spark.executorEnv.PYTHONPATH", str(ROOT)),
        ("spark.log.level", "ERROR"),
        ("spark.streaming.clock", "org.apache.spark.util.ManualClock"),
        (f"spark.hadoop.{MOUNT}", folder.as_uri()),
    ):
        conf.set(name, value)
    sc: Any = SparkContext(conf=conf)
    size = sum(path.stat().st_size for path in folder.iterdir())
    driver = int(sc._jvm.java.lang.ProcessHandle.current().pid())
    url = "viewfs://benchmark/data"
    makes = {
        "compat": dstream_compat.StreamingContext,
        "dstreams": pyspark.streaming.StreamingContext,
    }
    seconds, used, read = [], [], 0
    batches = streamed(sc, makes[engine], url) if engine in makes else planned(sc, engine, url)
    for batch in batches:
        for number in range(1, ROUNDS + 1):
            renew(folder, number)
            before, cpu, begun = bytes_read(driver), tree_cpu(), time.perf_counter()
            total = batch(number)
            seconds.append(time.perf_counter() - begun)
            used.append(tree_cpu() - cpu)
            read = bytes_read(driver) - before
            expected = size // len(LINE) * (len(LINE) - 1)
            if total != expected:
                raise AssertionError(f"{engine} has read {total} characters instead of {expected}")
    sc.stop()
    return {
        "rate": size / 1e6 / statistics.median(seconds[1:]),
        "cpu": min(used[1:]) / size * 1e9,
        "driver": read / 1e6,
    }


def bytes_read(process: int) -> int:
    """Return how many bytes a process has read so far."""
    text = Path(f"/proc/{process}/io").read_text()
    return int(text.split()[1])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(ENGINES)}")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--megabytes", type=int, default=50, help="of each file")
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in ENGINES]:
        parser.error(f"no such engine: {', '.join(unknown)}; there are {', '.join(ENGINES)}")
    if given.folder is not None:
        print(json.dumps(measure(given.names[0], given.master, given.folder)))
        return
    print(f"{given.files} files of {given.megabytes} MB, {given.master}")
    print("engine      MB/s  CPU s per GB  MB read by the driver")
    for engine in given.names or ENGINES:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "data"
            folder.mkdir()
            write(folder, given.files, given.megabytes)
            command = [sys.executable, "-m", "benchmarks.hadoop_files", engine]
            command += ["--master", given.master, "--in", str(folder)]
            done = subprocess.run(
                command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=DEADLINE
            )
            if done.returncode:
                sys.exit(f"{engine} failed")
            figures = json.loads(done.stdout.splitlines()[-1])
            print(
                f"{engine:8}{figures['rate']:8.0f}{figures['cpu']:14.2f}{figures['driver']:23.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
