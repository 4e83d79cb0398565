"""Memory of the driver that takes a state of Spark's DStreams over.

``python -m benchmarks.taking_over [MB]`` writes a state as Spark checkpoints RDDs, and prints the
peak of this process in MB: before, when the state is an RDD of ours, and when its frames are made
for the first micro-batch.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from pyspark import SparkConf, SparkContext

_FIXTURE: Final = (
    Path(__file__).resolve().parents[1] / "tests/dstream_compat/old_checkpoint/fixtures/lz4"
)
_VALUE: Final = 10_000
_AT: Final = 4000


class _Stub(SimpleNamespace):
    """What of a plan makes frames."""

    __hash__ = object.__hash__  # type: ignore[assignment]


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
    from dstream_compat.job.initial_state import InitialState
    from dstream_compat.old_checkpoint.folder import read_checkpoint
    from dstream_compat.old_checkpoint.pickled_states import state_rdd
    from dstream_compat.spark.settings import use_own_python

    sc = spark()
    use_own_python(sc)
    old = read_checkpoint(sc, folder)
    sc.range(10).map(str).count()
    print(f"before: {peak()} MB", flush=True)
    rdd, keys = state_rdd(sc, old, old.content.states[0], _AT)
    print(f"as an RDD of {keys} keys: {peak()} MB", flush=True)
    op = _Stub(node=1, number=0, partitions=2, stateful=True)
    plan: Any = _Stub(initial={_Stub(op=op, id=1): rdd}, slot_stages=[_Stub(ops=[op])])
    frames = InitialState(plan, sc, None).frames()
    print(f"as {sum(map(len, frames)) // 1_000_000} MB of frames: {peak()} MB", flush=True)


def peak() -> int:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


if __name__ == "__main__":
    main()
