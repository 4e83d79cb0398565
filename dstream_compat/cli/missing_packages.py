"""What to do where spark-submit could not fetch a package, which ends it before Spark starts."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..source.kafka.connector import is_connector, split
from .jars import SETTINGS
from .options import setting

BEGUN: Final = "DSTREAM_COMPAT_BEGUN"
"""Names a file that the job's Python makes as it begins, since packages are there then."""

_FOLDER: Final = "spark.jars.ivy"
_USUAL: Final = ".ivy2.5.2"
"""Spark's, since 4.0; that of Ivy itself, ~/.ivy2, is of older ones."""

_LITERAL: Final = re.compile(r"(?!latest\.)[\w.-]+")
"""A version that is the one of the jar; not ``latest.release``, ``1.+`` or ``[1,2)``."""

_CENTRAL: Final = ("https://repo1.maven.org/maven2/", "https://repos.spark-packages.org/")
_MIRROR: Final = "DEFAULT_ARTIFACT_REPOSITORY"


def say_begun() -> None:
    """Tell `submit` that Spark has started this process, so that no package is missing."""
    path = os.environ.pop(BEGUN, None)
    if path is not None:
        with suppress(OSError):
            Path(path).touch()


def missing_packages(arguments: Sequence[str], since: float) -> str | None:
    """Return what is missing and how to give it, if Ivy has run and a package is not there.

    Parameters
    ----------
    arguments : sequence of str
        of a spark-submit that has failed before it started anything
    since : float
        when that was started, in seconds since the epoch
    """
    packages = split(setting(arguments, "spark.jars.packages", "--packages"))
    if not packages:
        return None
    folder = Path(setting(arguments, _FOLDER) or _home() / _USUAL)
    jars = [(package, _jar(package)) for package in packages]
    missing = [package for package, jar in jars if jar and not (folder / "jars" / jar).exists()]
    if not missing or _modified_time(folder / "cache") < since:
        return None
    shown = [str(folder), *_repositories(arguments)]
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
    """Return the home of Java's ``user.home``, which no variable changes where there is one."""
    import pwd

    try:
        return Path(pwd.getpwuid(os.getuid()).pw_dir)
    except (KeyError, OSError):  # a container may run as any number
        return Path(os.environ.get("HOME") or "?")


def _jar(package: str) -> str | None:
    """Return how Spark names the jar of a package in Ivy's folder; None if only Ivy knows it."""
    group, name, version = [*package.replace("/", ":").split(":"), "", ""][:3]
    return f"{group}_{name}-{version}.jar" if _LITERAL.fullmatch(version) else None


def _modified_time(folder: Path) -> float:
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
