"""Which Spark a path names: `SPARK_HOME`, its folders, and the archives of Py4J in it."""

from __future__ import annotations

import re

# the first version of Spark that homes may be of
_OLDEST = 4
# `spark-2.4.4-bin-hadoop2.7`, `spark2`, `apache-spark/2.4.4`; `spark24` says nothing
_VERSION = re.compile(
    r"(?<![A-Za-z])(?:py)?spark(?:[-_/\\]?v?(?P<full>\d+(?:\.\d+)+)|[-_]?(?P<major>\d)(?![\w.]))",
    re.IGNORECASE,
)
# Hortonworks' last platform had Spark 2.3
_PLATFORM = re.compile(r"/usr/hdp/")
_PY4J = re.compile(r"py4j-(?P<version>\d+(?:\.\d+)+)-src\.zip")
# Spark 3.5 has 0.10.9.7, Spark 4.0 has 0.10.9.9
_NEWEST_OLD_PY4J = (0, 10, 9, 7)
# what a program or PYTHONPATH takes from a home
_PYTHON_PART = re.compile(
    r"(?P<home>.*?)[/\\]+python(?:[/\\]+(?:build|lib(?:[/\\]+(?:pyspark\.zip|py4j-[^/\\]*\.zip))?)?)?[/\\]*"
)


def spark_in(path: str) -> str | None:
    """Return the version of the Spark that a path names, as far as it does; else None."""
    versions = [match["full"] or match["major"] for match in _VERSION.finditer(path)]
    if versions:
        return str(versions[-1])
    return "2" if _PLATFORM.search(path) else None


def names_old(path: str) -> bool:
    """Return whether a path is proven to be of a Spark before 4."""
    version = spark_in(path)
    old = version is not None and int(version.partition(".")[0]) < _OLDEST
    return old or old_py4j(path) is not None


def describe_home(path: str) -> str:
    """Return what a path says about its Spark, "" if nothing."""
    version, py4j = spark_in(path), old_py4j(path)
    if version is not None:
        return f"Spark {version}"
    return "" if py4j is None else f"a Spark with Py4J {py4j['version']}"


def old_py4j(text: str) -> re.Match[str] | None:
    """Return the first archive of Py4J in a text that belongs to a Spark before 4."""
    for match in _PY4J.finditer(text):
        if tuple(map(int, match["version"].split("."))) <= _NEWEST_OLD_PY4J:
            return match
    return None


def home_of(path: str) -> str | None:
    """Return the home that a path for Python is in, such as `$SPARK_HOME/python`, or None."""
    match = _PYTHON_PART.fullmatch(path)
    return None if match is None else match["home"]
