"""Memory of the driver that takes a state of Spark's DStreams over.

``python -m benchmarks.taking_over [MB]`` writes a state as Spark checkpoints RDDs, and prints the
peak of a process that begins a job with it: before, when the state is an RDD of ours, and when the
first batch has ended.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Final

from pyspark import SparkConf, SparkContext

_FIXTURE: Final = (
    Path(__file__).resolve().parents[1] / "tests/dstream_compat/old_checkpoint/fixtures/lz4"
)
_VALUE: Final = 10_000
_AT: Final = 4000
_DEADLINE: Final = 1800.0
ENDED: Final = threading.Event()
"""The first batch has ended."""
COUNTS: Final[list[int]] = []
"""The keys of the batches."""


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2])
        return
    megabytes = int(sys.argv[1]) if sys.argv[1:] else 200
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "old"
        shutil.copytree(_FIXTURE, folder)
        write_state(folder, megabytes)
        # another process: this one has made the state
        command = [sys.executable, "-m", "benchmarks.taking_over", "measure", str(folder)]
        subprocess.run(command, check=True)


def spark() -> SparkContext:
    conf = SparkConf().setMaster("local[2]").setAppName("taking over")
    conf.set("spark.driver.memory", "2g")
    return SparkContext(conf=conf.set("spark.ui.enabled", "false").set("spark.log.level", "ERROR"))


def write_state(folder: Path, megabytes: int) -> None:
    """Write a state of so many MB in place of that of the fixture's first operator."""
    from dstream_compat.old_checkpoint.folder import read_checkpoint

    state = read_checkpoint(None, str(folder)).content.states[0]
    (target,) = folder.glob(f"*/{state.folders[_AT].rpartition('/')[2]}")
    sc = spark()
    sc.setCheckpointDir(str(folder.parent / "rdds"))
    count = megabytes * 1_000_000 // _VALUE
    rdd = sc.range(0, count, 1, 8).map(lambda n: (f"key {n}", f"{n:0{_VALUE}}"))
    rdd.checkpoint()
    rdd.count()
    sc.stop()
    shutil.rmtree(target)
    (made,) = (folder.parent / "rdds").glob("*/rdd-*")
    made.rename(target)


def measure(folder: str) -> None:
    """Print the peaks of this process."""
    from benchmarks.taking_over import COUNTS, ENDED  # those of the module, not of the main program
    from dstream_compat import StreamingContext, install

    install()  # as jobs are run: Spark's Python processes start faster
    sc = spark()
    ssc = StreamingContext(sc, 1)
    sc.range(10).map(str).count()
    print(f"before: {peak()} MB", flush=True)
    pairs = ssc.queueStream([[("key 0", "new")]])
    totals = pairs.updateStateByKey(keep, initialRDD=f"checkpoint:{folder}#1")
    print(f"as an RDD: {peak()} MB", flush=True)
    totals.foreachRDD(count)
    ssc.checkpoint(str(Path(folder).with_name("new")))
    ssc.start()
    if not ENDED.wait(_DEADLINE):
        raise SystemExit("no batch has ended")
    print(f"in the first batch, with {COUNTS[0]} keys: {peak()} MB", flush=True)
    ssc.stop()


def count(rdd: Any) -> None:
    """Note how many keys there are."""
    from benchmarks.taking_over import COUNTS, ENDED  # the checkpoint has the function

    COUNTS.append(rdd.count())
    ENDED.set()


def keep(_: list[str], state: str) -> str:
    """Leave a state as it is."""
    return state


def peak() -> int:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


if __name__ == "__main__":
    main()
