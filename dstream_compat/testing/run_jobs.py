"""Runs jobs one after another in one JVM, as they are asked for on standard input.

``python -m dstream_compat.testing.run_jobs --memory SIZE`` starts a JVM of that size and reads JSON
lines: ``engine``, ``job``, ``args``, ``input``, ``output``, ``folder`` (where the job runs),
``log`` (what it prints), ``timeout``, ``state``, ``streams``, ``begin`` and ``real``. After each
run it writes a line with the exit code of :mod:`dstream_compat.testing.run_job`; a run that had to
be killed has a negative one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, Any, Final

from .job_run import prepare_environment
from .parent import end_with_parent
from .shared_jvm import SharedJvm

_GRACE: Final = 15.0
"""Seconds for a run to end by itself when its time is up."""


def main() -> int:
    """Run what is asked for until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m dstream_compat.testing.run_jobs")
    parser.add_argument("--memory", metavar="SIZE", default="1g", help="of the JVM (1g)")
    memory = parser.parse_args().memory
    # what the JVM and the jobs print is no answer
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    folder = Path(tempfile.mkdtemp(prefix="run-jobs-"))
    prepare_environment("dstreams", folder / "job.py", folder, memory)
    jvm = SharedJvm()
    try:
        for line in sys.stdin:
            _answer(answers, _run(jvm, json.loads(line)))
    finally:
        jvm.close()
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _answer(answers: IO[str], code: int) -> None:
    answers.write(json.dumps({"code": code}) + "\n")
    answers.flush()


def _run(jvm: SharedJvm, asked: dict[str, Any]) -> int:
    command = ["--engine", asked["engine"], "--input", asked["input"], "--output", asked["output"]]
    command += ["--timeout", str(asked["timeout"])]
    command += [f"--{name}" for name in ("state", "streams") if asked.get(name)]
    if asked.get("begin") is not None:
        command += ["--begin", str(asked["begin"])]
    for client in asked.get("real", ()):
        command += ["--real", client]
    script = Path(asked["job"]).absolute()
    return jvm.run(
        [*command, str(script), *asked["args"]],
        script,
        Path(asked["folder"]),
        Path(asked["log"]),
        asked["timeout"] + _GRACE,
    )


if __name__ == "__main__":
    end_with_parent(forks=True)
    sys.exit(main())
