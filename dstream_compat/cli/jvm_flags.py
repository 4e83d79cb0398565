"""The environment of Spark's JVM, where that JVM is ours to start: its flags, and Spark's home.

Decision 0080: Small sort pages and late heap growth save memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from .archive import OPTIONS, with_archive
from .options import setting, spark_home

HOME: Final = "SPARK_HOME"
"""Without it, Spark's scripts start a Python to look for it, and wait."""

HEAP: Final = "-XX:GCTimeRatio=3"
"""G1 lets the heap grow as soon as collections take 1/13 of the time, in a small heap 1/80, as when
Spark starts or when the machine is busy, and hardly ever gives it back."""

COMPILER: Final = " ".join(
    f"-XX:Tier4{name}Threshold={forty_times_the_default}"
    for name, forty_times_the_default in (
        ("Invocation", 200_000),
        ("MinInvocation", 24_000),
        ("Compile", 600_000),
        ("BackEdge", 1_600_000),
    )
)
"""Optimizing what a start calls some thousand times takes a third of the CPU time of the start."""

_FLAGS: Final = (
    (HEAP, re.compile(r"-XX:GCTimeRatio\b|-XX:\+Use\w+GC\b")),
    (COMPILER, re.compile(r"-XX:[+-]?(Tier|CompileThreshold|UseJVMCI)|-X(int|comp|batch)\b")),
)
"""Flags, and what of the user's takes their place."""

_SETTINGS: Final = (
    ("spark.driver.extraJavaOptions", "--driver-java-options"),
    ("spark.driver.defaultJavaOptions", ""),
)
_VARIABLES: Final = (OPTIONS, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")


def jvm_environment(arguments: Sequence[str]) -> dict[str, str]:
    """Return the environment of a JVM that this process starts.

    Parameters
    ----------
    arguments : sequence of str
        of spark-submit
    """
    return with_jvm_flags(with_archive({HOME: spark_home(), **os.environ}), arguments)


@contextmanager
def jvm_environment_set(arguments: Sequence[str]) -> Iterator[None]:
    """Have that environment in this process while the block starts the JVM.

    Parameters
    ----------
    arguments : sequence of str
        of spark-submit
    """
    before = {name: os.environ.get(name) for name in (HOME, OPTIONS)}
    os.environ.update(jvm_environment(arguments))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def with_jvm_flags(environment: Mapping[str, str], arguments: Sequence[str]) -> dict[str, str]:
    """Return the environment of a JVM to be started, whose heap grows late and which starts fast.

    Parameters
    ----------
    environment : mapping
        what the JVM would get
    arguments : sequence of str
        of spark-submit; what they or the environment say of collectors or of compilation is left
        alone
    """
    settings = [setting(arguments, key, name) or "" for key, name in _SETTINGS]
    users = " ".join([*settings, *(environment.get(name, "") for name in _VARIABLES)])
    own = [flags for flags, instead in _FLAGS if not instead.search(users)]
    options = " ".join([*own, environment.get(OPTIONS, "")]).rstrip()
    return {**environment, OPTIONS: options} if own else dict(environment)
