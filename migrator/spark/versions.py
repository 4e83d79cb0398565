"""Which Spark, Python, Java and Scala jobs are to run on, and which ones texts and paths name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from migrator.spark.since import Version, version_name, version_of

SPARK = (4, 1)
PYTHON = (3, 11)
JAVA = 17
SCALA = "2.13"
"""What `dstream_compat` needs."""

_CLAUSE = re.compile(
    r"(?P<operator>===|==|~=|!=|<=|>=|\^|~|<|>|=)?\s*v?(?P<version>\d+(?:\.\d+)*)(?:\.\*)?"
)


@dataclass(frozen=True, slots=True)
class Target:
    """What jobs are to run on; by default, what `dstream_compat` needs.

    Parameters
    ----------
    spark, python : (int, int)
        The oldest ones.
    java : int
        The oldest one.
    scala : str
        The version of Scala that this Spark is built for.
    named_python : (int, int)
        The Python that a fix names.
    asked : bool
        Whether somebody has asked for this Spark.
    """

    spark: Version = SPARK
    python: Version = PYTHON
    java: int = JAVA
    scala: str = SCALA
    named_python: Version = PYTHON
    asked: bool = False

    @property
    def runs_compat(self) -> bool:
        """Whether `dstream_compat` runs there."""
        return self.spark >= SPARK

    @property
    def spark_name(self) -> str:
        """The oldest Spark, as people write it."""
        return version_name(self.spark)

    @property
    def what_needs_it(self) -> str:
        """What needs this Spark."""
        return "dstream_compat" if self.runs_compat else f"--spark {self.spark_name}"

    def package(self, name: str) -> str:
        """Return the coordinates of a package of Spark."""
        installed = installed_spark()
        is_installed = installed.startswith(f"{self.spark_name}.")
        version = f"{self.spark_name}.0" if self.asked and not is_installed else installed
        return f"org.apache.spark:{name}_{self.scala}:{version}"


DEFAULT_TARGET = Target()

# before Spark 4.1: Python, Java, Scala, and the newest Python that is known to work
_BEFORE: dict[Version, tuple[Version, int, str, Version]] = {
    (3, 3): ((3, 7), 8, "2.12", (3, 10)),
    (3, 4): ((3, 7), 8, "2.12", PYTHON),
    (3, 5): ((3, 8), 8, "2.12", PYTHON),
    (4, 0): ((3, 9), JAVA, SCALA, PYTHON),
}


def target_of(spark: str | None) -> Target:
    """Return what jobs are to run on, if they are to run on this Spark at the oldest."""
    if spark is None:
        return DEFAULT_TARGET
    version = version_of(spark)
    return Target(version, *_BEFORE.get(version, (PYTHON, JAVA, SCALA, PYTHON)), asked=True)


@cache
def installed_spark() -> str:
    """Return the version of the installed PySpark, if there are packages of it."""
    try:
        installed = version("pyspark")
    except PackageNotFoundError:
        installed = ""
    # a development version has no packages
    if excludes(f"=={installed}", SPARK) or not re.fullmatch(r"\d+\.\d+\.\d+", installed):
        return f"{version_name(SPARK)}.0"
    return installed


def excludes(spec: str, version: Version) -> bool:
    """Return whether a requirement of pip, poetry or conda lets no such version in, and no later
    one.
    """
    # poetry: `^2.7 || ^3.6`
    return all(
        any(_below(clause["operator"], clause["version"], version) for clause in clauses)
        for clauses in ([*_CLAUSE.finditer(part)] for part in re.split(r"\|+", spec))
    )


def _below(operator: str | None, version: str, wanted_version: Version) -> bool:
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
