"""Runs a Python 2 job as it is under Python 2.7, over lists in place of Spark."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from tests.support.migrator.golden_jobs import TESTS, as_scripts, copy
from tests.support.migrator.plans.golden import Golden

PYSPARK = Path(__file__).with_name("fixtures") / "python2"
EXPECTED = TESTS / "run" / "python2_outputs"
_ADDRESS = re.compile(r" at 0x[0-9a-f]+>")
# what shells and notebooks have
_SHELL = "import pyspark, sys; sys.argv.pop(0); sc = pyspark.SparkContext(); execfile(sys.argv[0])"


def recorded(job: Golden) -> Path:
    """Return the file with what Python 2.7 has printed."""
    return EXPECTED / f"{job.project.partition('/')[2]}.txt"


def run(python: str, job: Golden, folder: Path) -> str:
    """Return what a job prints under Python 2.7, in a copy of its project."""
    root = copy(job.project, folder)
    as_scripts(root)
    environment = {
        **os.environ,
        "PYTHONPATH": str(PYSPARK),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TZ": "UTC",
        "TEST_BATCHES": json.dumps([step["lines"] for step in job.plan["steps"]]),
    }
    shell = ["-c", _SHELL] if job.plan.get("shell") else []
    args = [str(arg).format(PORT=0) for arg in job.plan["args"]]
    done = subprocess.run(
        [python, *shell, str(root / job.plan["script"]), *args],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return _ADDRESS.sub(" at 0x0>", done.stdout)
