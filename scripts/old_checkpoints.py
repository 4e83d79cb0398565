"""Writes the checkpoints that tests read: ``python scripts/old_checkpoints.py``.

A job runs on Spark's DStreams of PySpark 3.5.9, once for each codec, and kills itself. It runs
below /tmp/old-job, because checkpoints hold paths.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.old_engine.running import HERE, OldJob, old_pyspark  # noqa: E402

PLACE: Final = Path("/tmp/old-job")
TARGET: Final = ROOT / "tests" / "dstream_compat" / "old_checkpoint" / "fixtures"
CODECS: Final = ("lz4", "lzf", "snappy", "zstd")
KILLED: Final = 5


def main() -> None:
    python = old_pyspark("3.5.9", "3.11", PLACE)
    job = PLACE / "job"
    job.mkdir(exist_ok=True)
    for name in ("job.py", "tally.py"):
        shutil.copy(HERE / name, job)
    for codec in CODECS:
        old = OldJob(PLACE / codec)
        shutil.rmtree(old.folder, ignore_errors=True)
        old.live(python, KILLED, codec, job)
        keep(old.checkpoint, TARGET / codec)
        print(TARGET / codec)


def keep(checkpoint: Path, target: Path) -> None:
    """Copy the newest checkpoint file, its backup, and the states."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in (f"checkpoint-{KILLED}000", f"checkpoint-{KILLED - 1}000"):
        shutil.copy(checkpoint / name, target)
        shutil.copy(checkpoint / f".{name}.crc", target)
    for part in checkpoint.glob("*/rdd-*/*part-*"):
        place = target / part.relative_to(checkpoint)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(part, place)


if __name__ == "__main__":
    main()
