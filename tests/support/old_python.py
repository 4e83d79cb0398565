"""Finds a Python 2.7 for tests that compare with it: `python -m tests.support.old_python`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.programs import give_up

HOW = "install one with `pyenv install 2.7`, or `apt-get install python2.7` where there is one"


def find_python2() -> str | None:
    """Return a Python 2.7 on the PATH or of pyenv, None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [shutil.which("python2.7"), *map(str, pyenv.glob("versions/2.7*/bin/python"))]
    for python in filter(None, candidates):
        # one on the PATH may be a stub of a version manager, which fails
        asked = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.stdout.strip() == "2.7":
            return python
    return None


def python2() -> str:
    """Return a Python 2.7. Without one tests are skipped, but never in CI."""
    return find_python2() or give_up(f"no Python 2.7 found; {HOW}")


if __name__ == "__main__":
    path = find_python2()
    if path is None:
        sys.exit(f"no Python 2.7 found; {HOW}")
    print(path)
