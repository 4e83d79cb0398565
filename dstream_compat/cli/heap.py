"""How readily the heap of Spark's JVM grows, where that JVM is ours to start."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from .archive import OPTIONS
from .options import setting

_FLAG: Final = "-XX:GCTimeRatio"
"""G1 lets the heap grow as soon as collections take 1/13 of the time, in a small heap 1/80, as when
Spark starts or when the machine is busy, and hardly ever gives it back."""

_RATIO: Final = f"{_FLAG}=3"
_COLLECTOR: Final = re.compile(r"-XX:\+Use\w+GC\b")
_SETTINGS: Final = (
    ("spark.driver.extraJavaOptions", "--driver-java-options"),
    ("spark.driver.defaultJavaOptions", ""),
)
_VARIABLES: Final = (OPTIONS, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")


def with_lean_heap(environment: Mapping[str, str], arguments: Sequence[str]) -> dict[str, str]:
    """Return the environment of a JVM to be started, whose heap grows late.

    Parameters
    ----------
    environment : mapping
        what the JVM would get
    arguments : sequence of str
        of spark-submit; what they say of collectors, or the environment does, is left alone
    """
    settings = [setting(arguments, key, name) or "" for key, name in _SETTINGS]
    given = " ".join([*settings, *(environment.get(name, "") for name in _VARIABLES)])
    if _FLAG in given or _COLLECTOR.search(given):
        return dict(environment)
    own = environment.get(OPTIONS, "")
    return {**environment, OPTIONS: f"{_RATIO} {own}".rstrip()}
