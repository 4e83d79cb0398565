"""Writes the checkpoints that tests read: ``python scripts/old_checkpoints.py [NAME ...]``.

A job over files runs on Spark's DStreams of PySpark 3.5.9, once for each codec, and kills itself; a
job over a socket with a write-ahead log does, too, and so does one that lags. They run below
/tmp/old-job, because checkpoints hold paths. Without names, all of them are written.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.components.ports import free_ports  # noqa: E402
from tests.support.old_engine.running import HERE, OldJob, old_pyspark  # noqa: E402

PLACE: Final = Path("/tmp/old-job")
TARGET: Final = ROOT / "tests" / "dstream_compat" / "old_checkpoint" / "fixtures"
CODECS: Final = ("lz4", "lzf", "snappy", "zstd")
SOCKET: Final = "socket"
LAGGING: Final = "lagging"
NAMES: Final = (*CODECS, SOCKET, LAGGING)
KILLED: Final = 5
HELD: Final = 2


def main(names: Sequence[str]) -> None:
    python = old_pyspark("3.5.9", "3.11", PLACE)
    job = PLACE / "job"
    job.mkdir(exist_ok=True)
    for name in ("job.py", "socket_job.py", "batches.py", "words.py", "tally.py"):
        shutil.copy(HERE / name, job)
    for name in names or NAMES:
        old = OldJob(PLACE / name)
        conf = {"spark.io.compression.codec": name}
        if name == LAGGING:
            old = OldJob(PLACE / name, settings={"held": HELD})
            conf = {}
        elif name == SOCKET:
            old = OldJob(PLACE / name, "socket_job.py", {"port": free_ports(1)[0]})
            conf = {"spark.streaming.receiver.writeAheadLog.enable": "true"}
        shutil.rmtree(old.folder, ignore_errors=True)
        old.live(python, KILLED, conf, job)
        keep(old.checkpoint, TARGET / name)
        print(TARGET / name)


def keep(checkpoint: Path, target: Path) -> None:
    """Copy the newest checkpoint files, the states, and what receivers have logged."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in (f"checkpoint-{KILLED}000", f"checkpoint-{KILLED - 1}000"):
        shutil.copy(checkpoint / name, target)
        shutil.copy(checkpoint / f".{name}.crc", target)
    states, logs = checkpoint.glob("*/rdd-*/*part-*"), checkpoint.glob("received*/**/*log-*")
    for part in (*states, *logs):
        place = target / part.relative_to(checkpoint)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(part, place)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    # not as choices, which refuse an empty list
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(NAMES)}")
    names = parser.parse_args().names
    if unknown := set(names) - set(NAMES):
        parser.error(f"no checkpoint is called {', '.join(sorted(unknown))}")
    main(names)
