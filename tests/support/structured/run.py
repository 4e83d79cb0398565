"""The process that runs the jobs of a plan, one after another, so that a JVM is started once.

``python -c "from tests.support.structured.run import main; main()" MODE PLAN OUTPUT``; the mode is
``original``, ``classic`` or ``connect``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from dstream_compat.testing.capture import append


def main() -> None:
    """Run a plan: a JSON list of jobs; write a JSON object of what each one did."""
    mode, plan, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    SparkContext._ensure_initialized()
    runner: Any
    if mode == "original":
        from tests.support.structured.original import Originals

        runner = Originals()
    else:
        from tests.support.structured.result import Results

        runner = Results(connect=mode == "connect")
    results = []
    for number, job in enumerate(json.loads(plan.read_text(encoding="utf-8"))):
        events = output.parent / f"{mode}-{number}.events"
        append(str(events), [])  # a file that this module makes is not one of the job's
        results.append(runner.run(job, output.parent / mode / str(number), events))
    output.write_text(json.dumps(results), encoding="utf-8")
    if SparkContext._gateway is not None:
        SparkContext._gateway.shutdown()
