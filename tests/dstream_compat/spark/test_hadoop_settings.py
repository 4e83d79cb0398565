"""Which settings of Hadoop count before there is a SparkContext."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.streaming.processes import run_python

pytestmark = pytest.mark.slow

JOB = """
import os
from dstream_compat import StreamingContext

os.environ["PYSPARK_SUBMIT_ARGS"] = "--conf spark.hadoop.fs.defaultFS=%s pyspark-shell"


def setup():
    print("setup was called")
    raise SystemExit(3)


StreamingContext.getOrCreate("checkpoint", setup)
"""


def test_the_default_file_system_of_the_job(tmp_path: Path) -> None:
    """A path without a scheme is looked for where the job's settings say, not on this disk."""
    job = tmp_path / "job.py"
    job.write_text(JOB % "nowhere://host")
    done = run_python(str(job), cwd=tmp_path)
    assert done.code == 1
    assert "setup was called" not in done.out
    last = done.err.strip().splitlines()[-1]
    assert "CheckpointError: the checkpoint folder checkpoint cannot be used" in last
    assert 'No FileSystem for scheme "nowhere"' in last
    job.write_text(JOB % "file:///")
    assert run_python(str(job), cwd=tmp_path).code == 3
