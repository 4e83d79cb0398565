"""Programs that tests need and ``make`` does not install: git, a browser, a broker, a Python 2.7.

Where one is missing, a test that needs it is skipped and says why; in CI it fails.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest


def give_up(reason: str) -> NoReturn:
    """End a test for which something is missing: it is skipped, and fails in CI.

    Parameters
    ----------
    reason : str
        what is missing, and how to get it
    """
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def program(name: str, package: str = "", places: str = "") -> str:
    """Return the path of a program.

    Parameters
    ----------
    name : str
        its name
    package : str, optional
        what Debian calls the package that has it, by default as the program
    places : str, optional
        folders besides those of the PATH, as it has them
    """
    path = os.pathsep.join(filter(None, [os.environ.get("PATH", os.defpath), places]))
    found = shutil.which(name, path=path)
    if found is None:
        give_up(f"there is no {name} here; install it with `apt-get install {package or name}`")
    return found
