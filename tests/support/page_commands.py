"""Runs the commands that pages show, with this checkout's packages."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from tests.support.fenced import ROOT


def environment(folder: Path) -> dict[str, str]:
    """The environment of a command in a folder, with this checkout's packages."""
    env = {**os.environ, "COLUMNS": "120", "PYTHONUNBUFFERED": "1"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    env["MIGRATE_CACHE_DIR"] = str(folder.parent / "cache")
    env.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return env


def run(command: list[str], folder: Path, timeout: int = 60) -> subprocess.CompletedProcess[str]:
    """Runs a command with this checkout's packages."""
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def words(command: str) -> list[str]:
    """A command with this Python, which need not have the package installed."""
    first, *rest = shlex.split(command)
    start = {"python": [sys.executable], "migrate": [sys.executable, "-m", "migrator"]}
    return [*start[first], *rest]
