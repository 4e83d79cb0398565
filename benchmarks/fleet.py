"""Times `migrate --fleet` over generated projects: ``python benchmarks/fleet.py [--quick]``.

500 jobs in 50 projects are asked for in 60 seconds on two cores. The results of earlier runs are
not used. Prints the seconds of the clock and of all processors, and how many lines the report has.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOAL_SECONDS = 60.0
_ADOPT_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER of Linux: the processes of a command that has ended become ours."""


def main() -> None:
    """Run the command once, and print what it took."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the projects")
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="keep projects and reports")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from benchmarks.fleet_projects import make_fleet

    projects = 5 if options.quick else 50
    with tempfile.TemporaryDirectory(prefix="benchmark-") as temporary:
        folder = options.keep or Path(temporary)
        made = make_fleet(folder / "fleet", projects, projects * 10)
        reports = [str(folder / f"fleet.{ending}") for ending in ("html", "json", "csv")]
        command = [sys.executable, "-m", "migrator", "--fleet", "--check", "--no-cache"]
        command += [part for report in reports for part in ("--report", report)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
        begun = time.monotonic()
        done = subprocess.run(
            [*command, *map(str, made)],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        seconds = time.monotonic() - begun
        if done.returncode == 2:
            sys.exit(f"the run failed:\n{done.stderr[-3000:]}")
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(done.stdout)
    lines = len(done.stdout.splitlines())
    print(f"{projects * 10} jobs in {projects} projects: {seconds:.1f} s, {lines} lines")
    print(f"of the processors: {used.ru_utime + used.ru_stime:.1f} s")
    if not options.quick:
        print(f"asked: {GOAL_SECONDS:.0f} s on two cores")


if __name__ == "__main__":
    main()
