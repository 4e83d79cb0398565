"""Finds a Python 2.7 for tests that compare with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def python2() -> str | None:
    """A Python 2.7 on the PATH or of pyenv, None if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [shutil.which("python2.7"), *map(str, pyenv.glob("versions/2.7*/bin/python"))]
    for python in filter(None, candidates):
        # one on the PATH may be a stub of a version manager, which fails
        asked = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        if done.stdout.strip() == "2.7":
            return python
    return None
