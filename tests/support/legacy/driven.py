"""Runs a plan of legacy jobs in a process of its own; ``drive`` is what that process runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.legacy.harness import ROOT, environment, session_end


def drive(engine: str, plan: Path, folder: Path) -> list[dict[str, Any]]:
    """Run the jobs of a plan on one engine, in a process; returns what each of them did.

    Parameters
    ----------
    engine : str
        one of ``ENGINES``
    plan : Path
        a file with the plan
    folder : Path
        where the process runs and writes
    """
    output = folder / f"{engine}.json"
    env = environment(engine)
    env["PYTHONPATH"] = str(ROOT)
    env["PYSPARK_SUBMIT_ARGS"] = (
        "--master local[2] --conf spark.ui.enabled=false "
        "--conf spark.streaming.clock=org.apache.spark.util.ManualClock "
        "--conf spark.python.daemon.module=tests.support.worker_daemon pyspark-shell"
    )
    log = folder / f"{engine}.log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", "from tests.support.legacy.drive import main; main()"),
                *(engine, str(plan), str(output)),
            ],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stderr,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            code = process.wait(600)
        finally:
            session_end(process)
    assert code == 0, log.read_text(encoding="utf-8", errors="replace")[-4000:]
    found: list[dict[str, Any]] = json.loads(output.read_text(encoding="utf-8"))
    return found
