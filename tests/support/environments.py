"""Virtual environments with other versions of PySpark and Python, beside those of the checkout."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from scripts.test_versions import VENVS, find_python

_NEEDED: Final = ("pandas>=2.2,<3", "pyarrow>=18.0", "protobuf>=6.33.5,<8")
"""What the runtime needs beside PySpark."""


def runtime_python(pyspark: str, python: str) -> Path:
    """Return the Python of an environment that can run this package from the checkout.

    Parameters
    ----------
    pyspark : str
        its first two numbers, such as 4.1
    python : str
        likewise

    Raises
    ------
    scripts.test_versions.Skipped
        if this machine has no such Python
    """
    name = f"runtime-pyspark-{pyspark}-python-{python}"
    return python_of(name, python, [f"pyspark~={pyspark}.0", *_NEEDED])


def python_of(name: str, python: str, packages: Sequence[str], folder: Path = VENVS) -> Path:
    """Return the Python of a virtual environment, which is made if there is none.

    Parameters
    ----------
    name : str
        of its folder
    python : str
        the first two numbers of its version
    packages : sequence of str
        what is installed in it, and nothing else
    folder : Path
        where it is

    Raises
    ------
    scripts.test_versions.Skipped
        if this machine has no such Python
    """
    place = folder / name
    made, stamp = place / "bin" / "python", place / ".installed"
    folder.mkdir(parents=True, exist_ok=True)
    with open(f"{place}.lock", "w") as lock:  # several processes may ask at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != "\n".join(packages):
            subprocess.run([find_python(python), "-m", "venv", "--clear", str(place)], check=True)
            pip = [str(made), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *packages], check=True)
            stamp.write_text("\n".join(packages))  # last: what was broken off is done again
    return made
