"""Runs the job of this folder on an older PySpark, which is installed for it, or on ours."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from scripts.test_versions import VENVS
from tests.support.environments import python_of

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[2]
_SECONDS: Final = 1800
TAKE_OVER: Final = (
    "python -m dstream_compat submit",
    "--conf spark.streaming.compat.importFrom={}",
)
"""How a job is started on ours to go on from a checkpoint, as docs/switching.md shows it."""


def old_pyspark(version: str, python: str, folder: Path = VENVS) -> Path:
    """Return the Python of a virtual environment with an older PySpark, made if there is none.

    Raises
    ------
    scripts.test_versions.Skipped
        if this machine has no such Python
    """
    # what jobs need beside it
    packages = [f"pyspark=={version}", "paho-mqtt>=2,<3"]
    return python_of(f"old-pyspark-{version}", python, packages, folder)


class OldJob(NamedTuple):
    """A run of a job in a folder of its own.

    Parameters
    ----------
    folder : Path
        for its input, checkpoints and logs
    script : str
        the job
    settings : mapping
        what it is given besides
    """

    folder: Path
    script: str = "job.py"
    settings: Mapping[str, Any] = {}

    @property
    def checkpoint(self) -> Path:
        """Checkpoint folder of the old engine."""
        return self.folder / "checkpoint"

    @property
    def old_place(self) -> str:
        """What the job gives to the old engine as its checkpoint folder."""
        return str(self.settings.get("checkpoint", self.checkpoint))

    def live(self, python: Path, kill: int, conf: Mapping[str, str], job: Path = HERE) -> None:
        """Run on Spark's DStreams, until the process kills itself within a batch."""
        (self.folder / "in").mkdir(parents=True)
        command = [str(python), self.script]
        done = self._run(command, job, "checkpoint", 1, kill, kill, conf)
        assert done.returncode == -9, done.stderr[-6000:]

    def go_on(
        self,
        first: int,
        last: int,
        *,
        job: Path = HERE,
        options: Sequence[str] = (),
        conf: Mapping[str, str] = {},
    ) -> str:
        """Run on ours, which takes over; returns what was printed.

        Parameters
        ----------
        first, last : int
            batches (seconds)
        job : Path
            folder of the code
        options : sequence of str
            of spark-submit, besides
        conf : mapping
            settings that the code makes
        """
        _, *rest = shlex.split(" ".join(TAKE_OVER).format(self.old_place))
        command = [sys.executable, *rest, *options, self.script]
        done = self._run(command, job, "new", first, last, 0, conf)
        assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
        return done.stdout + done.stderr  # spark-submit makes one of both

    def _run(
        self,
        command: list[str],
        job: Path,
        checkpoint: str,
        first: int,
        last: int,
        kill: int,
        conf: Mapping[str, str],
    ) -> subprocess.CompletedProcess[str]:
        settings = {
            "checkpoint": str(self.folder / checkpoint),
            "input": str(self.folder / "in"),
            "local_input": str(self.folder / "in"),
            **self.settings,
            "log": str(self.folder / f"{checkpoint}.log"),
            "first": first,
            "last": last,
            "kill": kill,
            "conf": dict(conf),
        }
        if checkpoint == "new":
            settings["checkpoint"] = self.settings.get("new", str(self.folder / checkpoint))
        unfit = {"SPARK_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "SPARK_SUBMIT_OPTS"}
        kept = {name: value for name, value in os.environ.items() if name not in unfit}
        paths = [str(job), str(ROOT)] if checkpoint == "new" else [str(job)]
        if checkpoint != "new":  # Spark's default is any python3 of the PATH
            kept["PYSPARK_PYTHON"] = command[0]
        return subprocess.run(
            [*command, json.dumps(settings)],
            cwd=job,
            env={**kept, "PYTHONPATH": os.pathsep.join(paths)},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )

    def log(self, of: str) -> list[tuple[str, int, Any]]:
        """Return what outputs had: (name, second, records)."""
        lines = (self.folder / f"{of}.log").read_text().splitlines()
        return [tuple(json.loads(line)) for line in lines]


def expected(name: str, second: int) -> list[Any]:
    """Return what an output has, by plain Python over all input until a second."""

    def words(after: int) -> list[str]:
        times = range(max(after, 0) + 1, second + 1)
        return [word for time in times for word in f"a b{time % 3} c{time} a".split()]

    if name == "last":
        return sorted(words(second - 1))
    if name == "window":
        return sorted([word, count] for word, count in Counter(words(second - 5)).items())
    counts = Counter(words(0))
    if name == "sums":
        return sorted([word, count] for word, count in counts.items())
    first = dict.fromkeys(counts, 1)
    for word in counts:
        first[word] = next(t for t in range(1, second + 1) if word in f"a b{t % 3} c{t}".split())
    return sorted([word, [count, second - first[word] + 1]] for word, count in counts.items())
