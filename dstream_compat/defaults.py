"""What ``run`` and ``submit`` add to the settings of a JVM that is theirs to start."""

from __future__ import annotations

import functools
import logging
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from .source.kafka_connector import NAME, with_connector

_LOG = logging.getLogger("dstream_compat")

PACKAGES: Final = "spark.jars.packages"
SOCKETS: Final = "spark.python.unix.domain.socket.enabled"
"""Small jobs take a third of the time: over TCP, each waits for delayed acknowledgements."""

_KAFKA: Final = ("dstream_compat.kafka", "pyspark.streaming.kafka")
_ARGUMENTS: Final = "PYSPARK_SUBMIT_ARGS"


def launch_with_defaults() -> None:
    """Let the JVM that this process starts have what its script imported needs."""
    from pyspark.core import context

    launch = vars(context)["launch_gateway"]
    vars(context)["launch_gateway"] = _with_defaults(launch)


def _with_defaults(launch: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(launch)
    def launch_gateway(conf: Any = None, *args: Any, **kwargs: Any) -> Any:
        from pyspark import SparkConf, __version__

        added = SparkConf().setAll([] if conf is None else conf.getAll())
        added.setIfMissing(SOCKETS, "true")
        if any(name in sys.modules for name in _KAFKA):
            given = shlex.split(os.environ.get(_ARGUMENTS, "pyspark-shell"))
            if not has_connector([*given, added.get("spark.jars") or ""]):
                packages = with_connector(
                    option(given, "--packages") or added.get(PACKAGES), __version__
                )
                _LOG.warning("Kafka is imported, so the JVM starts with --packages %s", packages)
                given = with_option(given, "--packages", packages)
                os.environ[_ARGUMENTS] = shlex.join(given)
        return launch(added, *args, **kwargs)

    return launch_gateway


def submit_defaults(options: Sequence[str], script: str, version: str) -> list[str]:
    """Return options of spark-submit with what a script needs.

    Parameters
    ----------
    options : sequence of str
        what the user gave
    script : str
        its path
    version : str
        of Spark
    """
    result = list(options)
    if not any(SOCKETS in one for one in result):
        result += ["--conf", f"{SOCKETS}=true"]
    packages = option(result, "--packages")
    wanted = "spark-streaming-kafka" in (packages or "") or _mentions_kafka(script)
    if wanted and not has_connector(result):
        result = with_option(result, "--packages", with_connector(packages, version))
    return result


def has_connector(arguments: Sequence[str]) -> bool:
    """Return whether arguments name Spark's Kafka connector, as a package or as a jar."""
    return any(NAME in argument for argument in arguments)


def option(arguments: Sequence[str], name: str) -> str | None:
    """Return the value of an option of spark-submit, the last one given."""
    found = None
    for index, argument in enumerate(arguments):
        if argument == name and index + 1 < len(arguments):
            found = arguments[index + 1]
        elif argument.startswith(name + "="):
            found = argument.partition("=")[2]
    return found


def with_option(arguments: Sequence[str], name: str, value: str) -> list[str]:
    """Return arguments of spark-submit with one option set, in front."""
    kept: list[str] = []
    skip = False
    for argument in arguments:
        if skip or argument.startswith(name + "="):
            skip = False
        elif argument == name:
            skip = True
        else:
            kept.append(argument)
    return [name, value, *kept]


def _mentions_kafka(script: str) -> bool:
    try:
        text = Path(script).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False  # spark-submit says what is wrong with it
    return any(name in text for name in _KAFKA) or "from pyspark.streaming import kafka" in text
