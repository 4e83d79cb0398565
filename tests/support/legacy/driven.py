"""Runs the jobs of a plan in a process, and makes what they printed comparable."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.support.legacy.harness import ROOT, blocks, environment, session_end

DEADLINE = 300.0
DEADLINE_OF_A_JOB = 60.0
"""Seconds: a machine that does other things takes ten times as long as one that does not."""

_OBJECT = re.compile(r"<[\w.]+ object at 0x[0-9a-f]+>")


def drive(
    engine: str, plan: Path, folder: Path, jars: Sequence[Path] = (), **variables: str
) -> list[dict[str, Any]]:
    """Run the jobs of a plan on one engine; return what each of them did.

    Parameters
    ----------
    engine : str
        ``spark``, ``compat`` or ``migrated``
    plan : Path
        a JSON list of jobs
    folder : Path
        for what the process leaves
    jars : sequence of Path, optional
        for its JVM
    variables : str
        more of its environment
    """
    output = folder / f"{engine}.json"
    work = folder / f"{engine}-process"  # what Spark leaves where it runs is not to be shared
    work.mkdir()
    env = environment("spark" if engine == "spark" else "compat") | variables
    env["PYTHONPATH"] = str(ROOT)
    env["PYSPARK_SUBMIT_ARGS"] = (
        "--master local[4] --conf spark.ui.enabled=false --conf spark.ui.showConsoleProgress=false "
        "--conf spark.streaming.clock=org.apache.spark.util.ManualClock "
        "--conf spark.python.daemon.module=tests.support.worker_daemon "
        f"{'--jars ' + ','.join(map(str, jars)) if jars else ''} pyspark-shell"
    )
    log = folder / f"{engine}.log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [
                *(sys.executable, "-c", "from tests.support.legacy.drive import main; main()"),
                *(engine, str(plan), str(output)),
            ],
            cwd=work,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=stderr,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            code = process.wait(DEADLINE + DEADLINE_OF_A_JOB * len(json.loads(plan.read_text())))
        finally:
            session_end(process)
    assert code == 0, log.read_text(encoding="utf-8", errors="replace")[-4000:]
    found: list[dict[str, Any]] = json.loads(output.read_text(encoding="utf-8"))
    return found


def comparable(stdout: str, plan: dict[str, Any]) -> dict[str, Any]:
    """Return what was printed up to the last planned batch, without the order in a `pprint`.

    A job that stops gracefully ends with more empty intervals or fewer: it depends on how far the
    clock had moved when it asked. What a job repeats of the batches before its restart is left out:
    DStreams repeat those that came after their last checkpoint.
    """
    lines = _OBJECT.sub("<an object>", stdout).splitlines()
    since = str(datetime.fromtimestamp(plan.get("since", 0)))
    printed = blocks(lines)
    times = sorted({block.time for block in printed if block.time > since})[: len(plan["steps"])]
    inside = {line for block in printed for line in (block.time, *block.elements)}
    return {
        "batches": [
            (block.time, Counter(block.elements), block.cut)
            for block in printed
            if block.time in times
        ]
        or [line for line in lines if line],
        "other lines": [
            line
            for line in lines
            if line and line not in inside and not line.startswith(("-----", "Time: ", "..."))
        ],
    }
