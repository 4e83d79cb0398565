"""The jars of Spark's Kafka connector, fetched once, so that jobs start without a repository."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..source.kafka.connector import connector_package, is_connector
from .archive import cache_folder
from .options import spark_home

SETTINGS: Final = "spark.jars.ivySettings"
_PROBLEMS: Final = ":: problems summary ::"
_TRACE: Final = "Exception in thread"
_SECONDS: Final = 300


def jars_folder(version: str) -> Path:
    """Return where the jars for a version of Spark are kept, whether they are there or not."""
    return cache_folder() / f"kafka-{version}"


def fetched_jars(version: str) -> list[str]:
    """Return the jars that were fetched for a version of Spark; none if they were not."""
    try:
        return sorted(map(str, jars_folder(version).glob("*.jar")))
    except (OSError, RuntimeError):  # a user without a home, or with that of another one
        return []


def jars_command(args: Sequence[str]) -> int:
    """Fetch the jars; returns the exit code (2 for wrong usage).

    Parameters
    ----------
    args : sequence of str
        what follows ``jars``
    """
    from pyspark import __version__

    options = _parser().parse_args(args)
    package = connector_package(options.version or __version__)
    try:
        folder = Path(options.out) if options.out else jars_folder(__version__)
        failure = _other_version(package, folder) if options.out else None
        if failure is None:
            failure = _fetch_into(folder, package, options)
    except (OSError, RuntimeError) as error:
        failure = str(error)
    if failure is not None:
        print(f"dstream-compat jars: {failure}", file=sys.stderr)
        return 1
    use = f"start jobs with --jars '{folder}/*.jar'" if options.out else "run and submit use them"
    print(f"{folder} has the jars of {package}: {use}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dstream-compat jars",
        description="Fetch the jars that jobs on Kafka need, in the version of the installed "
        "Spark. Later jobs start with them, and ask no repository.",
    )
    parser.add_argument(
        "--out",
        metavar="FOLDER",
        help="put them here, to take them to another machine; else they are kept below ~/.cache",
    )
    parser.add_argument("--version", help="of the connector, where that of Spark is not there yet")
    parser.add_argument("--repositories", metavar="URLS", help="look there, too")
    parser.add_argument("--ivy-settings", metavar="FILE", help="look where this file says, only")
    return parser


def _other_version(package: str, folder: Path) -> str | None:
    """Return what is wrong with a folder that is not ours alone, and has another connector."""
    name = f"{package.replace(':', '_', 1).replace(':', '-')}.jar"
    others = [jar for jar in sorted(folder.glob("*.jar")) if is_connector(str(jar))]
    others = [jar for jar in others if jar.name != name]
    if not others:
        return None
    return (
        f"{folder} has {others[0].name}, which a job must not have beside {package}: name another "
        "folder, or remove the jars that were fetched with it"
    )


def _fetch_into(folder: Path, package: str, options: argparse.Namespace) -> str | None:
    """Fetch a package and keep its jars in a folder; returns what went wrong."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".jars-") as scratch:
        failure = _fetch(package, Path(scratch), options)
        if failure is None:
            _keep(Path(scratch, "jars"), folder, bool(options.out))
    return failure


def _fetch(package: str, scratch: Path, options: argparse.Namespace) -> str | None:
    """Let spark-submit resolve a package as it does for a job; returns what went wrong."""
    script = scratch / "nothing.py"
    script.write_text("")
    command = [str(Path(spark_home(), "bin", "spark-submit")), "--master", "local[1]"]
    command += ["--packages", package, "--conf", f"spark.jars.ivy={scratch}"]
    if options.repositories:
        command += ["--repositories", options.repositories]
    if options.ivy_settings:
        command += ["--conf", f"{SETTINGS}={options.ivy_settings}"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    environment["PYSPARK_DRIVER_PYTHON"] = sys.executable
    try:
        done = subprocess.run(
            [*command, str(script)],
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{package} could not be fetched in {_SECONDS} s: does a repository answer?"
    if done.returncode == 0 and any(scratch.glob("jars/*.jar")):
        return None
    _, found, report = done.stderr.partition(_PROBLEMS)
    shown = report.partition(_TRACE)[0].strip() if found else done.stderr[-3000:].strip()
    return f"{package} could not be fetched:\n{shown}"


def _keep(jars: Path, folder: Path, shared: bool) -> None:
    """Put jars where they stay; a folder that is ours alone has no others then."""
    if shared:
        shutil.copytree(jars, folder, dirs_exist_ok=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        jars.rename(folder)
