"""Runs a Python 2 job as it is under Python 2.7, over lists in place of Spark."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.support.migrator.plans.golden import Golden

TESTS = Path(__file__).parents[2] / "migrator"
PYSPARK = Path(__file__).with_name("fixtures") / "python2"
EXPECTED = TESTS / "run" / "python2_outputs"


def interpreter() -> str | None:
    """Return Python 2.7, None if there is none; what a shim of pyenv stands for need not be."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [shutil.which("python2.7"), *map(str, pyenv.glob("versions/2.7.*/bin/python2.7"))]
    return next((path for path in found if path and _runs(path)), None)


def _runs(path: str) -> bool:
    done = subprocess.run([path, "--version"], capture_output=True, check=False)
    return done.returncode == 0


def expected(job: Golden) -> str:
    """Return what Python 2.7 has printed."""
    return (EXPECTED / f"{job.project.partition('/')[2]}.txt").read_text("utf-8")


def run(python: str, job: Golden) -> str:
    """Return what a job prints under Python 2.7."""
    script = TESTS / job.project / job.plan["script"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(PYSPARK),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TZ": "UTC",
        "TEST_BATCHES": json.dumps([step["lines"] for step in job.plan["steps"]]),
    }
    done = subprocess.run(
        [python, str(script), "0"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
