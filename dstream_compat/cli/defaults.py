"""What ``run`` and ``submit`` add to the settings of a JVM that is theirs to start."""

from __future__ import annotations

import functools
import logging
import math
import os
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pyspark.errors import PySparkRuntimeError
from pyspark.util import _parse_memory

from ..exceptions import MissingDependencyError
from ..source.kafka.connector import connector_package, is_connector, is_old, on_class_path, split
from ..spark.hdfs_retries import SETTING as HDFS_RETRIES
from ..spark.hdfs_retries import has_standby
from ..spark.socket_folder import SOCKETS
from ..spark.warm_workers import beside
from .jars import fetched_jars, jars_folder
from .jvm_flags import jvm_environment_set
from .kafka_imports import reads_kafka
from .missing_packages import missing_packages
from .options import setting, spark_home, with_option

_LOG = logging.getLogger("dstream_compat")

PROGRESS: Final = "spark.ui.showConsoleProgress"
"""A bar for each stage, between the lines of a job: off under spark-submit, but not without it."""

PAGES: Final = "spark.buffer.pageSize"
"""What a sort takes at least: up to 64 MiB in each task with state of a small micro-batch."""

_PAGE: Final = "4m"
_LARGEST_MIB: Final = 32 << 10
"""Of a heap: a task has 8,192 pages at most, so what it sorts there cannot be too much for them."""
_HEAPS: Final = (
    ("spark.driver.memory", "--driver-memory", "SPARK_DRIVER_MEMORY"),
    ("spark.executor.memory", "--executor-memory", "SPARK_EXECUTOR_MEMORY"),
    ("spark.memory.offHeap.size", "", ""),
)

_JARS: Final = "spark.jars"
_KAFKA: Final = ("dstream_compat.kafka", "pyspark.streaming.kafka")
_ARGUMENTS: Final = "PYSPARK_SUBMIT_ARGS"
RUNNING: Final = "PYSPARK_GATEWAY_PORT"


def launch_with_defaults(script: str) -> None:
    """Let the JVM that this process starts have what a script needs.

    Parameters
    ----------
    script : str
        its path
    """
    from pyspark.core import context

    launch = vars(context)["launch_gateway"]
    vars(context)["launch_gateway"] = _with_defaults(launch, script)


def _with_defaults(launch: Callable[..., Any], script: str) -> Callable[..., Any]:
    @functools.wraps(launch)
    def launch_gateway(conf: Any = None, *args: Any, **kwargs: Any) -> Any:
        from pyspark import SparkConf, __version__

        if RUNNING in os.environ:
            return launch(conf, *args, **kwargs)  # spark-submit started the JVM, with all it needs
        command_line = shlex.split(os.environ.get(_ARGUMENTS, "pyspark-shell"))
        own = {} if conf is None else dict(conf.getAll())
        arguments = [*_as_options(own), *command_line]
        own |= _settings(arguments)
        if setting(arguments, PROGRESS) is None:
            own[PROGRESS] = "false"
        imported = any(name in sys.modules for name in _KAFKA)
        needed = _kafka_options(arguments, script, __version__, imported)
        for name, value in needed.items():
            command_line = with_option(command_line, name, value)
        if needed:
            os.environ[_ARGUMENTS] = shlex.join(command_line)
        if _JARS in own and "--jars" in needed:
            own_jars = [jar for jar in split(own[_JARS]) if not is_old(jar)]
            ours = {*fetched_jars(__version__)}.intersection(split(needed["--jars"]))
            conf.set(_JARS, ",".join([*own_jars, *sorted(ours.difference(own_jars))]))
        imports = beside("modules of a job", _import_job)
        complete = SparkConf(loadDefaults=False).setAll(list(own.items()))
        since = time.time()
        try:
            with jvm_environment_set(arguments):
                return launch(complete, *args, **kwargs)
        except PySparkRuntimeError:
            reason = missing_packages([*_as_options(own), *command_line], since)
            if reason is None:
                raise
            raise MissingDependencyError(reason) from None
        finally:
            # The JVM takes longer. No code of the user's imports beside: where the imports of two
            # threads go round in a circle, Python hands one of them a module that is half made.
            imports.join()

    return launch_gateway


def _import_job() -> None:
    """Import what a job needs while the JVM starts."""
    # the first call of Java asks it whether there is numpy, and it imports pandas
    import pyspark.testing.utils  # noqa: F401

    from ..job import starting  # noqa: F401


def _as_options(settings: Mapping[str, str]) -> list[str]:
    return [part for pair in settings.items() for part in ("--conf", "=".join(pair))]


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
    for name, value in _settings(options).items():
        result += ["--conf", f"{name}={value}"]
    for name, value in _kafka_options(options, script, version).items():
        result = with_option(result, name, value)
    return result


def _settings(arguments: Sequence[str]) -> dict[str, str]:
    """Return the settings that are good for every job, but for those that are given."""
    settings = {SOCKETS: "true"}
    if not has_standby():
        settings[HDFS_RETRIES] = "true"
    heaps = [setting(arguments, key, name) or os.environ.get(v) for key, name, v in _HEAPS]
    if all(_mib(heap) <= _LARGEST_MIB for heap in heaps if heap):
        settings[PAGES] = _PAGE
    return {key: value for key, value in settings.items() if setting(arguments, key) is None}


def _mib(size: str) -> float:
    try:
        return float(_parse_memory(size.strip()))
    except (ValueError, IndexError):
        return math.inf  # it is in bytes, or spark-submit says what is wrong with it


def _kafka_options(
    arguments: Sequence[str], script: str, version: str, imported: bool = False
) -> dict[str, str]:
    """Return the options to set, in place of all that spark-submit would take these values from."""
    packages = split(setting(arguments, "spark.jars.packages", "--packages"))
    jars = split(setting(arguments, _JARS, "--jars"))
    old = [name for name in (*packages, *jars) if is_old(name)]
    if old:
        _LOG.warning("Ignoring packages of an old Kafka connector: %s", ", ".join(old))
    kept_packages = [name for name in packages if not is_old(name)]
    kept_jars = [name for name in jars if not is_old(name)]
    files = (setting(arguments, "spark.submit.pyFiles", "--py-files") or "").split(",")
    reads = imported or bool(old) or reads_kafka(script, files)
    if reads and not _has_connector(arguments, [*kept_packages, *kept_jars]):
        # Ivy chooses one version of what several packages need
        fetched = [] if kept_packages or _is_uploaded_nowhere(arguments) else fetched_jars(version)
        kept_jars += fetched
        kept_packages += [] if fetched else [connector_package(version)]
        shown = (
            f"--jars {jars_folder(version)}/*.jar"
            if fetched
            else f"--packages {','.join(kept_packages)}"
        )
        _LOG.warning("The job reads Kafka, so it starts with %s", shown)
    values = {"--packages": (packages, kept_packages), "--jars": (jars, kept_jars)}
    return {name: ",".join(new) for name, (before, new) in values.items() if new != before}


def _is_uploaded_nowhere(arguments: Sequence[str]) -> bool:
    """Return whether the driver runs where it cannot get files of this machine."""
    in_cluster = setting(arguments, "spark.submit.deployMode", "--deploy-mode") == "cluster"
    return in_cluster and setting(arguments, "spark.master", "--master") != "yarn"


def _has_connector(arguments: Sequence[str], jars: Sequence[str]) -> bool:
    class_path = setting(arguments, "spark.driver.extraClassPath", "--driver-class-path")
    return any(map(is_connector, jars)) or on_class_path(class_path or "", spark_home())
