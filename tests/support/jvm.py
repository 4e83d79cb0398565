"""Options for the JVMs of tests, which live for seconds: compile less, read classes faster.

Workers import PySpark from where it is installed. Spark lets them read it from an archive in its
home folder, which has sources only: each process compiles what it imports. A home without that
archive takes a fifth off a small job.

Python processes talk to them over Unix sockets: over TCP, each small job of either engine waits for
two delayed acknowledgements (60 ms instead of 20 ms for one that counts ten records).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import pyspark

from tests.support.streaming.processes import JOBS, ROOT, kill_group, wait_until_gone

OPTIONS = (
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Dspark.python.unix.domain.socket.enabled=true",
)
DEADLINE = 300.0


def home(folder: Path) -> Path:
    """Return a home of Spark whose workers have no PySpark in an archive.

    Parameters
    ----------
    folder : Path
        where it is made, if an earlier run has not
    """
    installed = Path(pyspark.__file__).parent
    made = folder / f"home-{hashlib.sha256(bytes(installed)).hexdigest()[:16]}"
    made.mkdir(exist_ok=True)
    for part in ("bin", "jars"):
        with contextlib.suppress(FileExistsError):
            (made / part).symlink_to(installed / part)
    return made


def use(archive: Path | None) -> list[str]:
    """Return the options that let a JVM read its classes from an archive."""
    return [] if archive is None else [f"-XX:SharedArchiveFile={archive}", "-Xlog:disable"]


def archive(folder: Path, make: bool) -> Path | None:
    """Return an archive of the classes that a small job needs; None if there is none.

    Parameters
    ----------
    folder : Path
        where archives of earlier runs are
    make : bool
        make one if there is none
    """
    made = folder / f"{_key()}.jsa"
    if made.exists():
        return made
    if not make:
        return None
    draft = made.with_suffix(f".{os.getpid()}")
    making = [*OPTIONS, f"-XX:ArchiveClassesAtExit={draft}", "-Xlog:disable"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SPARK_SUBMIT_OPTS": " ".join(making),
        "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "dstream_compat", "run", str(JOBS / "small.py"), "a"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=DEADLINE)
        wait_until_gone(process.pid)  # the JVM writes it when its driver has ended
    except subprocess.TimeoutExpired:
        errors = "the job did not end"
    finally:
        kill_group(process.pid)
    if not draft.exists():
        warnings.warn(f"no archive of classes: {errors[-500:]}", stacklevel=2)
        return None
    draft.replace(made)
    return made


def _key() -> str:
    """Return a name for what an archive depends on."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else "java"
    known = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    return hashlib.sha256(f"{known}{version('pyspark')}{sys.prefix}".encode()).hexdigest()[:16]
