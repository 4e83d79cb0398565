"""What to do where spark-submit could not fetch a package, which ends it before Spark starts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..source.kafka.connector import is_connector, split
from .jars import SETTINGS
from .options import setting

_FOLDER: Final = "spark.jars.ivy"
_CENTRAL: Final = ("https://repo1.maven.org/maven2/", "https://repos.spark-packages.org/")
_MIRROR: Final = "DEFAULT_ARTIFACT_REPOSITORY"


def missing_packages(arguments: Sequence[str], since: float) -> str | None:
    """Return what is missing and how to give it, if Ivy has run and a package is not there.

    Parameters
    ----------
    arguments : sequence of str
        of a spark-submit that has failed
    since : float
        when it was started, in seconds since the epoch
    """
    wanted = split(setting(arguments, "spark.jars.packages", "--packages"))
    given = setting(arguments, _FOLDER)
    folders = [Path(given)] if given else sorted(_home().glob(".ivy2*"))
    missing = [one for one in wanted if not any((f / "jars" / _jar(one)).exists() for f in folders)]
    if not missing or not any(_modified(folder / "cache") >= since for folder in folders):
        return None
    shown = [*map(str, folders), *_repositories(arguments)]
    lines = [
        f"Spark could not be started, since {', '.join(missing)} could not be fetched.",
        f"Looked for in {', '.join(shown)}: the report of Ivy is above.",
        "To give it, do one of these:",
        f"- name a mirror of Maven Central: {_MIRROR}=https://mirror.example/maven2/ in the "
        f"environment, or a file of Ivy's settings by the setting {SETTINGS}",
        "- give the jars: --jars 'FOLDER/*.jar' of submit, spark.jars in conf/spark-defaults.conf, "
        "or PYSPARK_SUBMIT_ARGS=\"--jars 'FOLDER/*.jar' pyspark-shell\" in the environment of run",
    ]
    if any(map(is_connector, missing)):
        lines.append(
            "- fetch the connector beforehand: `python -m dstream_compat jars` on this machine, or "
            "with --out FOLDER on another one that has the same PySpark"
        )
    return "\n".join(lines)


def _home() -> Path:
    """Return the home of Java's ``user.home``, which no variable changes."""
    import pwd

    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def _jar(package: str) -> str:
    """Return how Spark names the jar of a package in Ivy's folder."""
    group, name, version = [*package.replace("/", ":").split(":"), "", ""][:3]
    return f"{group}_{name}-{version}.jar"


def _modified(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


def _repositories(arguments: Sequence[str]) -> list[str]:
    """Return where Ivy looks behind its own folder."""
    file = setting(arguments, SETTINGS)
    more = split(setting(arguments, "spark.jars.repositories", "--repositories"))
    if file:
        return [*more, f"the repositories of {file}"]
    central = [os.environ.get(_MIRROR) or _CENTRAL[0], *_CENTRAL[1:]]
    return [*more, str(_home() / ".m2" / "repository"), *central]
