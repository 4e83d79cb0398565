"""Writes the checkpoint of this release that tests read: ``python scripts/own_checkpoints.py``.

``python scripts/own_checkpoints.py 0.2.0 FOLDER`` writes that of another release, whose code is in
FOLDER: ``git worktree add FOLDER COMMIT``. The job of ``tests/support/streaming/jobs/released.py``
runs and kills itself. Run this before each release, and keep what it writes: later versions go on
from it, or refuse it by name.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dstream_compat import __version__  # noqa: E402
from tests.support.streaming.releases import KILLED, RELEASES, keep  # noqa: E402

_JOB: Final = "from tests.support.streaming.jobs import released; released.main()"


def main(release: str, code: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        checkpoint = Path(place) / "checkpoint"
        # the job and what it imports are of this version, the package is of that one
        tests, package = Path(place) / "job", Path(code).resolve()
        jobs = Path("tests/support/streaming/jobs")
        packages = [folder / "__init__.py" for folder in (jobs, *jobs.parents[:3])]
        for name in (jobs / "released.py", jobs / "released_log.py", *packages):
            (tests / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tests / name)
        paths = os.pathsep.join([str(tests), str(package)])
        done = subprocess.run(
            [sys.executable, "-c", _JOB, str(checkpoint), str(KILLED)],
            env={**os.environ, "PYTHONPATH": paths, "RELEASED_DEATH": str(KILLED)},
            cwd=place,
            check=False,
        )
        if done.returncode != -signal.SIGKILL:
            sys.exit(f"the job has not killed itself: exit code {done.returncode}")
        keep(checkpoint, RELEASES / release)
    print(RELEASES / release)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("release", nargs="?", help="of another release: its number")
    parser.add_argument("code", nargs="?", metavar="folder", help="and the folder of its code")
    arguments = parser.parse_args()
    if arguments.release and not arguments.code:
        parser.error("a release needs the folder of its code")
    main(arguments.release or __version__, arguments.code or str(ROOT))
