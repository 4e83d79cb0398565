"""Times the same jobs on the real DStream engine and on ours, in one run: ratios are what counts.

``python benchmarks/run.py [--quick] [NAME ...]`` runs each benchmark once per engine, each in a
process of its own, in turn; prints wall and CPU seconds per batch (whole process tree) and ratios.
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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENGINES = ("real", "ours")
WARM_UP = 3


@dataclass(frozen=True)
class Benchmark:
    """One job: what it reads per batch, and what it does with it."""

    name: str
    what: str
    lines: Callable[[int, bool], list[str]]
    build: Callable[[Any], Any]
    batches: int


def words(number: int, quick: bool) -> list[str]:
    count = 20_000 if quick else 200_000
    line = " ".join(f"word{(i * 7919) % 5000}" for i in range(10))
    return [f"{line} w{(number * count + i) % 10_000}" for i in range(count)]


def keys(stored: int) -> Callable[[int, bool], list[str]]:
    def lines(number: int, quick: bool) -> list[str]:
        total = stored // 10 if quick else stored
        if number == 0:  # the first batch fills the state
            return [f"key-{i}" for i in range(total)]
        return [f"key-{(number * 7919 + i * 31) % total}" for i in range(min(10_000, total))]

    return lines


def few(number: int, quick: bool) -> list[str]:
    return ["a b a c"] * 10


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def counted(lines: Any) -> Any:
    return lines.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))


BENCHMARKS = [
    Benchmark("small-stateless", "word count, 10 lines a batch", few,
              lambda s: counted(s).reduceByKey(add), 20),
    Benchmark("small-stateful", "running word count, 10 lines a batch", few,
              lambda s: counted(s).updateStateByKey(total), 20),
    Benchmark("wordcount", "word count, 200,000 lines x 11 words a batch", words,
              lambda s: counted(s).reduceByKey(add), 6),
    Benchmark("window", "reduceByKeyAndWindow with inverse, 200,000 lines a batch", words,
              lambda s: counted(s).reduceByKeyAndWindow(add, subtract, 6, 1), 8),
    Benchmark("state-100k", "updateStateByKey, 100,000 keys, 10,000 updates a batch",
              keys(100_000), lambda s: s.map(lambda k: (k, 1)).updateStateByKey(total), 8),
    Benchmark("state-1m", "updateStateByKey, 1,000,000 keys, 10,000 updates a batch",
              keys(1_000_000), lambda s: s.map(lambda k: (k, 1)).updateStateByKey(total), 6),
]  # fmt: skip


def run_engine(benchmark: Benchmark, engine: str, quick: bool) -> dict[str, Any]:
    """Run one benchmark in this process; returns seconds per batch."""
    sys.path.insert(0, str(ROOT))
    if engine == "ours":
        from dstream_compat import StreamingContext
    else:
        from pyspark.streaming import StreamingContext  # type: ignore[assignment]
    from pyspark import SparkConf, SparkContext

    folder = Path(tempfile.mkdtemp(prefix="benchmark-"))
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
    conf.set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
    conf.set("spark.driver.memory", "3g").set("spark.log.level", "OFF")
    sc = SparkContext(conf=conf)
    sc.setCheckpointDir(str(folder / "checkpoint"))
    ssc: Any = StreamingContext(sc, 1)
    (folder / "in").mkdir()
    done = threading.Event()
    sizes: list[int] = []

    def consume(rdd: Any) -> None:
        sizes.append(rdd.count())
        done.set()

    benchmark.build(ssc.textFileStream(str(folder / "in"))).foreachRDD(consume)
    for number in range(WARM_UP + benchmark.batches):
        lines = benchmark.lines(number, quick)
        half = len(lines) // 2
        for part, chunk in enumerate((lines[:half], lines[half:])):
            path = folder / "in" / f"{number}-{part}"
            path.write_text("\n".join(chunk) + "\n")
            os.utime(path, (number + 0.5, number + 0.5))
    ssc.start()
    clock = ssc._clock if engine == "ours" else ssc._jssc.ssc().scheduler().clock()
    walls: list[float] = []
    cpu = 0.0
    for number in range(WARM_UP + benchmark.batches):
        if number == WARM_UP:
            cpu = tree_cpu()
        started = time.perf_counter()
        clock.advance(1000)
        done.wait()
        done.clear()
        walls.append(time.perf_counter() - started)
    used = (tree_cpu() - cpu) / benchmark.batches
    ssc.stop()
    return {"wall": statistics.median(walls[WARM_UP:]), "cpu": used, "records": sizes[-1]}


def tree_cpu() -> float:
    """Return the CPU seconds that this process and all its descendants have used."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue  # it ended while we looked
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = sum(map(int, fields[11:15]))
    tree = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return sum(used.get(pid, 0) for pid in tree) / os.sysconf("SC_CLK_TCK")


def measure(benchmark: Benchmark, quick: bool) -> dict[str, dict[str, Any]]:
    """Run one benchmark on both engines, each in a process of its own."""
    results = {}
    for engine in ENGINES:
        command = [sys.executable, __file__, "--engine", engine, benchmark.name]
        done = subprocess.run(
            command + ["--quick"] * quick, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{benchmark.name} on {engine} failed:\n{done.stderr[-3000:]}")
        results[engine] = json.loads(done.stdout.splitlines()[-1])
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of them if none is given")
    parser.add_argument("--quick", action="store_true", help="a tenth of the data")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    known = {benchmark.name: benchmark for benchmark in BENCHMARKS}
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(
            f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(known)}"
        )
    chosen = [known[name] for name in options.names] or BENCHMARKS
    if options.engine:
        print(json.dumps(run_engine(chosen[0], options.engine, options.quick)))
        return
    print(
        f"{'benchmark':16} {'real s':>8} {'ours s':>8} {'wall x':>7} "
        f"{'real cpu':>9} {'ours cpu':>9} {'cpu x':>6}"
    )
    for benchmark in chosen:
        found = measure(benchmark, options.quick)
        real, ours = found["real"], found["ours"]
        if real["records"] != ours["records"]:
            sys.exit(f"{benchmark.name}: {real['records']} records, but ours {ours['records']}")
        print(
            f"{benchmark.name:16} {real['wall']:8.3f} {ours['wall']:8.3f} "
            f"{real['wall'] / ours['wall']:7.2f} {real['cpu']:9.3f} {ours['cpu']:9.3f} "
            f"{real['cpu'] / ours['cpu']:6.2f}   {benchmark.what}",
            flush=True,
        )


if __name__ == "__main__":
    main()
