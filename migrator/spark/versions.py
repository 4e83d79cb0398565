"""Which PySpark, Python and Java `dstream_compat` needs, and which ones texts and paths name."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version

SPARK = (4, 1)
PYTHON = (3, 11)
JAVA = 17

_CLAUSE = re.compile(
    r"(?P<operator>===|==|~=|!=|<=|>=|\^|~|<|>|=)?\s*v?(?P<version>\d+(?:\.\d+)*)(?:\.\*)?"
)


@cache
def target_spark() -> str:
    """Return the version of Spark that packages are to be for: that of the installed PySpark."""
    try:
        installed = version("pyspark")
    except PackageNotFoundError:
        installed = ""
    # a development version has no packages
    if excludes_spark(f"=={installed}") or not re.fullmatch(r"\d+\.\d+\.\d+", installed):
        return ".".join(map(str, (*SPARK, 0)))
    return installed


def excludes_spark(spec: str) -> bool:
    """Return whether a requirement of pip, poetry or conda lets no PySpark 4.1 in."""
    return _excludes(spec, SPARK)


def excludes_python(spec: str) -> bool:
    """Return the same for Python 3.11."""
    return _excludes(spec, PYTHON)


def _excludes(spec: str, version: tuple[int, int]) -> bool:
    # poetry: `^2.7 || ^3.6`
    return all(
        any(_below(clause["operator"], clause["version"], version) for clause in clauses)
        for clauses in ([*_CLAUSE.finditer(part)] for part in re.split(r"\|+", spec))
    )


def _below(operator: str | None, version: str, wanted_version: tuple[int, int]) -> bool:
    """Return whether a clause allows only versions before the one that is wanted."""
    numbers = tuple(int(part) for part in version.split(".")[:4])
    if operator in (">=", ">", "!="):
        return False
    if operator in ("<", "<="):
        return numbers < wanted_version if operator == "<=" else numbers <= wanted_version
    if operator in ("~=", "^", "~"):
        # the first part that may not change; `~2.4` is poetry's for 2.4.*
        single = operator == "^" or len(numbers) < (2 if operator == "~" else 3)
        bounds = numbers[: 1 if single else 2]
        return bounds < wanted_version[: len(bounds)]
    return numbers[:2] < wanted_version[: len(numbers[:2])]


# Which Spark a path names: `SPARK_HOME`, its folders, and the archives of Py4J in it.


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
