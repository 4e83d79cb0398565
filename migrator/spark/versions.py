"""Which PySpark, Python and Java `dstream_compat` needs, and what a requirement lets in."""

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
