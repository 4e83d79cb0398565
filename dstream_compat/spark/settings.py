"""The settings of a SparkContext that a checkpoint saves, and those of one that is recovered."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pyspark import SparkConf, SparkContext

from ..exceptions import CheckpointError
from ..wire.secret import Secret
from ..wire.secret_names import is_secret_name
from ..wire.socket_paths import is_private_folder
from .socket_folder import FOLDER
from .workers import DAEMON, MODULE, PACKAGE

_VOLATILE: Final = (
    "dstream_compat.",
    "spark.app.id",
    "spark.app.startTime",
    "spark.app.submitTime",
    "spark.app.initial",
    "spark.blockManager.port",
    "spark.driver.appUIAddress",
    "spark.driver.bindAddress",
    "spark.driver.host",
    "spark.driver.port",
    "spark.kubernetes.driver.pod.name",
    "spark.kubernetes.executor.podNamePrefix",
    "spark.ui.port",
    "spark.ui.proxyBase",
    "spark.yarn.cache.",
    "spark.yarn.secondary.jars",
    "spark.yarn.user.jar",
)
"""What belongs to one process; a saved one is of no use to another."""
_SUBMITTED: Final = frozenset(
    ("spark.files", "spark.submit.pyFiles", "spark.jars", "spark.archives", "spark.repl.local.jars")
) | frozenset(f"spark.yarn.dist.{what}" for what in ("archives", "files", "jars", "pyFiles"))
"""What files a process is submitted with."""

_PATH_OF_EXECUTORS: Final = "spark.executorEnv.PYTHONPATH"
_BETWEEN_ENTRIES: Final = "<CPS>"
_CONTAINER: Final = "{{PWD}}"

_SPARK_ON_YARN: Final = ("spark.yarn.archive", "spark.yarn.jars")
"""Where containers get Spark from: a saved archive would beat the jars that are given today."""

_AGAIN: Final = (
    "spark.kerberos.keytab",
    "spark.kerberos.principal",
    "spark.master",
    "spark.org.apache.spark.deploy.yarn.AmIpFilter.param.",
    "spark.streaming.compat.",
    "spark.submit.deployMode",
    "spark.ui.filters",
    "spark.yarn.app.attemptId",
    "spark.yarn.app.id",
    *_SPARK_ON_YARN,
    "spark.yarn.keytab",
    "spark.yarn.principal",
)
"""What counts as it is given today, if it is; as in Spark's ``Checkpoint``, and our own."""

_NO_MASTER: Final = ("spark.master", "local[*]")
"""What Spark sets where no master is given: it must not end a job on a cluster that code names."""


@dataclass(frozen=True)
class JobSettings:
    """The settings that a job is started with.

    Parameters
    ----------
    partitions : int
        shuffle partitions of the query
    most : int
        intervals that one micro-batch takes at most
    drain_seconds : float
        how long a graceful stop waits
    """

    partitions: int
    most: int
    drain_seconds: float


def lasting_settings(conf: SparkConf) -> list[tuple[str, str]]:
    """Return the settings that a recovered context takes over: not those of one process."""
    settings = {key: value for key, value in conf.getAll() if not key.startswith(_VOLATILE)}
    if settings.get(DAEMON) == MODULE:
        del settings[DAEMON]  # set where workers can import it
    if is_private_folder(settings.get(FOLDER, "")):
        del settings[FOLDER]  # it is removed when the process ends
    for key in _SUBMITTED & settings.keys():
        # what `submit` ships lives as long as that process
        others = [
            entry for entry in settings[key].split(",") if entry.rpartition("/")[2] != PACKAGE
        ]
        settings[key] = ",".join(others)
    if _PATH_OF_EXECUTORS in settings:
        # YARN's client appends what is in a container for each application again
        entries = settings[_PATH_OF_EXECUTORS].split(_BETWEEN_ENTRIES)
        others = [entry for entry in dict.fromkeys(entries) if not entry.startswith(_CONTAINER)]
        settings[_PATH_OF_EXECUTORS] = _BETWEEN_ENTRIES.join(others)
    emptied = {*_SUBMITTED, _PATH_OF_EXECUTORS}
    return [
        (key, Secret(value, f"the setting {key}") if is_secret_name(key) else value)
        for key, value in settings.items()
        if value or key not in emptied
    ]


def recovered_conf(saved: list[tuple[str, str]]) -> SparkConf:
    """Return the settings of a recovered context: what was saved, and what must be today's.

    Mirrors ``org.apache.spark.streaming.Checkpoint.createSparkConf``.

    Parameters
    ----------
    saved : list of (str, str)
        what ``lasting_settings`` gave

    Raises
    ------
    CheckpointError
        if one of them is a secret that is not given today
    """
    conf = SparkConf()
    today = {
        key
        for key, value in conf.getAll()
        if (key in _SUBMITTED or key.startswith(_AGAIN)) and (key, value) != _NO_MASTER
    }
    if not today.isdisjoint(_SPARK_ON_YARN):
        today.update(_SPARK_ON_YARN)
    used = [
        (key, value) for key, value in saved if key not in today and not key.startswith(_VOLATILE)
    ]
    refuse_absent(value for _, value in used if isinstance(value, Secret))
    return conf.setAll([(key, str(value)) for key, value in used])


def refuse_absent(secrets: Iterable[Secret]) -> None:
    """Refuse secrets of a checkpoint that nothing gives today.

    Raises
    ------
    CheckpointError
        with the names of what gave them
    """
    absent = [secret for secret in secrets if secret.missing_names]
    if absent:
        what = ", ".join(dict.fromkeys(secret.what for secret in absent))
        names = ", the ".join(
            dict.fromkeys(name for secret in absent for name in secret.missing_names)
        )
        raise CheckpointError(
            f"the checkpoint has no value of {what}, only the name of what gives it: the {names}, "
            "which this process does not have. Give it to this process as to the one that made the "
            "checkpoint; a setting also by --conf of submit, by PYSPARK_SUBMIT_ARGS='--conf "
            "NAME=VALUE pyspark-shell', or in spark-defaults.conf. Nothing was changed here"
        )


def use_own_python(sc: SparkContext) -> None:
    """Let local workers run the driver's Python: Spark's default is any ``python3`` of the PATH."""
    if (sc.master or "").startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        sc.pythonExec = sys.executable
