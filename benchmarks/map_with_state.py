"""What a batch of mapWithState costs when few of many keys are touched.

``python -m benchmarks.map_with_state [--quick] [NAME ...]`` fills the state with 10,000, 100,000
and 1,000,000 keys, each in a process of its own, then touches 10,000 of them in every batch. Prints
for each size the seconds per batch (median), the CPU seconds per batch of the whole process tree,
and what went into the ``state`` folders of the query's checkpoint: the changes of a batch (median)
and, at one batch per second for some minutes, the mean with the snapshots that Spark makes of the
state about once a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
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

from .harness.processes import tree_cpu
from .harness.run import ROOT

SIZES = (10_000, 100_000, 1_000_000)
TOUCHED = 10_000
WARM_UP = 25
PACED = 150  # batches, one per second
DEADLINE = 600.0


@dataclass(frozen=True)
class Variant:
    """One way to use mapWithState."""

    name: str
    what: str
    build: Callable[[Any, Any], Any]


def total(key: str, value: int | None, state: Any) -> tuple[str, int]:
    if not state.isTimingOut():
        state.update((state.getOption() or 0) + (value or 0))
    return key, state.get()


def totals(pairs: Any, spec: Any) -> Any:
    return pairs.mapWithState(spec.function(total))


def with_timeout(pairs: Any, spec: Any) -> Any:
    return pairs.mapWithState(spec.function(total).timeout(3600))


def snapshots(pairs: Any, spec: Any) -> Any:
    return totals(pairs, spec).stateSnapshots()


VARIANTS = [
    Variant("plain", "a running total by key", totals),
    Variant("timeout", "the same, with a timeout of an hour", with_timeout),
    Variant("snapshots", "the same, with stateSnapshots()", snapshots),
]


def keys(stored: int, number: int) -> list[str]:
    if number == 0:  # the first batch fills the state
        return [f"key-{i}" for i in range(stored)]
    return [f"key-{(number * 7919 + i * 31) % stored}" for i in range(min(TOUCHED, stored))]


class StateFiles:
    """Adds up the bytes of files as they appear in the state folders of a checkpoint."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, tuple[int, int]] = {}

    def written(self) -> int:
        """Return the bytes of the files that are new or changed since the last call."""
        size = 0
        for path in self._folder.rglob("state/**/*"):
            try:
                info = path.stat()
            except FileNotFoundError:
                continue  # cleaned up meanwhile
            known = (info.st_size, info.st_mtime_ns)
            if path.is_file() and self._seen.get(str(path)) != known:
                self._seen[str(path)] = known
                size += info.st_size
        return size


def run_size(variant: Variant, stored: int, batches: int) -> dict[str, Any]:
    """Run one size in this process; returns figures per batch."""
    from pyspark import SparkConf, SparkContext

    from dstream_compat import StateSpec, StreamingContext

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

    pairs = ssc.textFileStream(str(folder / "in")).map(lambda key: (key, 1))
    variant.build(pairs, StateSpec).foreachRDD(consume)
    for number in range(WARM_UP + batches + PACED):
        lines = keys(stored, number)
        half = len(lines) // 2
        for part, chunk in enumerate((lines[:half], lines[half:])):
            path = folder / "in" / f"{number}-{part}"
            path.write_text("\n".join(chunk) + "\n")
            os.utime(path, (number + 0.5, number + 0.5))
    ssc.start()
    files = StateFiles(folder / "checkpoint")
    walls: list[float] = []
    written: list[int] = []

    def batch(number: int) -> None:
        started = time.perf_counter()
        ssc._clock.advance(1000)
        if not done.wait(DEADLINE):
            raise TimeoutError(f"batch {number} did not end")
        done.clear()
        walls.append(time.perf_counter() - started)
        written.append(files.written())

    for number in range(WARM_UP):
        batch(number)
    cpu = tree_cpu()
    for number in range(WARM_UP, WARM_UP + batches):
        batch(number)
    used = (tree_cpu() - cpu) / batches
    for number in range(WARM_UP + batches, WARM_UP + batches + PACED):
        batch(number)
        time.sleep(max(0.0, 1 - walls[-1]))
    ssc.stop()
    shutil.rmtree(folder)
    return {
        "wall": statistics.median(walls[WARM_UP : WARM_UP + batches]),
        "cpu": used,
        "changes": statistics.median(written[WARM_UP:]),
        "bytes": statistics.mean(written[-PACED:]),
        "fill": walls[0],
        "records": sizes[-1],
    }


def measure(variant: Variant, stored: int, batches: int) -> dict[str, Any]:
    """Run one size in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.map_with_state", variant.name]
    done = subprocess.run(
        [*command, "--size", str(stored), "--batches", str(batches)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{variant.name} with {stored} keys failed:\n{done.stderr[-3000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of them if none is given")
    parser.add_argument("--quick", action="store_true", help="without the largest size")
    parser.add_argument("--batches", type=int, default=10, help="measured batches per size")
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    known = {variant.name: variant for variant in VARIANTS}
    unknown = set(options.names) - set(known)
    if unknown:
        parser.error(
            f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(known)}"
        )
    chosen = [known[name] for name in options.names] or VARIANTS
    if options.size:
        print(json.dumps(run_size(chosen[0], options.size, options.batches)))
        return
    print(
        f"{'benchmark':10} {'keys':>9} {'batch s':>8} {'x':>5} {'cpu s':>7} "
        f"{'changes KB':>10} {'state KB':>9}"
    )
    for variant in chosen:
        first: float | None = None
        for stored in SIZES[: 2 if options.quick else 3]:
            found = measure(variant, stored, options.batches)
            first = first or found["wall"]
            print(
                f"{variant.name:10} {stored:9,} {found['wall']:8.3f} {found['wall'] / first:5.2f} "
                f"{found['cpu']:7.3f} {found['changes'] / 1000:10,.0f} "
                f"{found['bytes'] / 1000:9,.0f}   {variant.what}",
                flush=True,
            )


if __name__ == "__main__":
    main()
