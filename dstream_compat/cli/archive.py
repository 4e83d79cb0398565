"""The classes that Spark loads for a job, in an archive from which later JVMs map them.

This is Java's class-data sharing (``java -XX:SharedArchiveFile``). A JVM that is not the one which
wrote an archive, or has other jars, starts without it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from .options import spark_home

OPTIONS: Final = "SPARK_SUBMIT_OPTS"
"""Options of the JVM that spark-submit starts, in front of those that Spark's settings name."""

_USE: Final = "-XX:SharedArchiveFile="
_WRITE: Final = "-XX:ArchiveClassesAtExit="
_QUIET: Final = "-Xlog:cds*=off"
_SECONDS: Final = 300


def archive_path() -> Path:
    """Return where the archive of the installed Spark is kept, whether there is one or not."""
    from pyspark import __version__

    home = sha256(str(Path(spark_home()).resolve()).encode()).hexdigest()[:12]
    return cache_folder() / f"spark-{__version__}-{home}.jsa"


def cache_folder() -> Path:
    """Return where this package keeps what later starts use."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "dstream-compat"


def with_archive(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a JVM to be started, which uses the archive if there is one.

    Parameters
    ----------
    environment : mapping
        what the JVM would get; an archive that it names is kept
    """
    options = environment.get(OPTIONS, "")
    try:
        path = archive_path()
        usable = " " not in str(path) and path.is_file()
    except (OSError, RuntimeError):  # a user without a home, or with that of another one
        usable = False
    if _USE in options or _WRITE in options or not usable:
        return dict(environment)
    return {**environment, OPTIONS: f"{_USE}{path} {_QUIET} {options}".rstrip()}


def write_archive() -> int:
    """Run a small job and keep the classes that it loads; returns the exit code."""
    try:
        path = archive_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            archive = Path(folder, path.name)
            failure = _run_job(archive)
            if failure is None and not archive.is_file():
                failure = "the JVM wrote no archive: is it a HotSpot JVM of Java 17 or later?"
            if failure is None:
                archive.replace(path)
    except (OSError, RuntimeError) as error:
        failure = str(error)
    if failure is not None:
        print(f"dstream-compat archive: {failure}", file=sys.stderr)
        return 1
    print(f"{path} ({path.stat().st_size >> 20} MiB): run and submit start Spark's JVM with it")
    return 0


def _run_job(archive: Path) -> str | None:
    """Run the job in a JVM that writes an archive when it ends; returns what went wrong."""
    if " " in str(archive):
        return f"Spark cannot pass a path with a space to its JVM: {archive}"
    environment = {**os.environ, OPTIONS: f"{_WRITE}{archive} {_QUIET}"}
    command = [sys.executable, "-m", f"{__package__}.archive_job"]
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"the job did not end in {_SECONDS} s"
    if done.returncode:
        return f"the job failed:\n{done.stderr[-3000:]}"
    return None
