"""Checks that SPARK_HOME names the Spark that PySpark belongs to.

Decision 0061: An old Spark in SPARK_HOME is refused, old storage levels are kept.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

_CORE: Final = re.compile(r"spark-core_[\d.]+-(\d+)\.(\d+)[.\d]*.*\.jar")
_SHOWN: Final = re.compile(r"spark-core_[\d.]+-(.+)\.jar")


def unfit_home() -> str | None:
    """Return what is wrong with the folder that SPARK_HOME names, None if it fits.

    PySpark starts the Spark of that folder, whatever its own version is, and machines with an old
    Spark have the variable set. A Spark of another patch release fits.
    """
    home = os.environ.get("SPARK_HOME")
    if not home:
        return None
    from pyspark import __version__ as own  # the one of SPARK_HOME, if its folder is on the path

    advice = (
        f"unset it to use the Spark that PySpark {own} brings, or let it name one of Spark {own}"
    )
    if not Path(home, "bin", "spark-submit").exists():
        return f"SPARK_HOME is {home}, where there is no bin/spark-submit: {advice}"
    try:
        jars = sorted(os.listdir(Path(home, "jars")))
    except OSError:
        jars = []
    cores = [jar for jar in jars if _CORE.fullmatch(jar)]
    if not cores:
        # Spark 1 has all of it in one jar, in another folder; others may be laid out in their way
        old = sorted(Path(home, "lib").glob("spark-assembly-*.jar"))
        return f"SPARK_HOME is {home}, which holds {old[0].name}: {advice}" if old else None
    fits = any((match := _CORE.match(jar)) and _release(own) == match.groups() for jar in cores)
    if fits:
        return None
    shown = _SHOWN.sub(r"\1", cores[0])
    return f"SPARK_HOME is {home}, which holds Spark {shown}: {advice}"


def _release(text: str) -> tuple[str, ...]:
    return tuple(text.split(".")[:2])
