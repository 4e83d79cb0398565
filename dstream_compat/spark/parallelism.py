"""How many cores a job is going to have: not only those that are there as it starts.

Decision 0123: The default number of partitions counts executors that are to come.
"""

from __future__ import annotations

from typing import Final

from pyspark import SparkConf, SparkContext

from ..settings import PARTITIONS
from .conf import conf_of

_SET: Final = "spark.default.parallelism"
_CORES: Final = "spark.executor.cores"
_INSTANCES: Final = "spark.executor.instances"
_ALL_CORES: Final = "spark.cores.max"
_DYNAMIC: Final = "spark.dynamicAllocation.enabled"
_MOST: Final = "spark.dynamicAllocation.maxExecutors"
_ONE_CORE: Final = ("yarn", "k8s")
"""Clusters whose executors have one core unless a setting says otherwise."""


def default_parallelism(sc: SparkContext) -> int:
    """Return how many partitions a stream has where the user names no number; one at least.

    Executors that are asked for register one after another, and those of dynamic allocation when
    there is work: ``sc.defaultParallelism`` would be the number of cores that are there by chance.

    Parameters
    ----------
    sc : SparkContext
        of the job
    """
    number = sc.defaultParallelism if conf_of(sc).contains(_SET) else cores_to_use(sc)
    return max(number, 1)


def cores_to_use(sc: SparkContext) -> int:
    """Return how many cores the executors have, or are to have; 0 where nothing says so.

    Parameters
    ----------
    sc : SparkContext
        of the job
    """
    conf = conf_of(sc)
    # with that setting, ``sc.defaultParallelism`` is no number of cores
    there = 0 if conf.contains(_SET) else sc.defaultParallelism
    return max(there, expected_cores(conf, sc.master or ""))


def state_partitions(sc: SparkContext) -> int:
    """Return how many partitions the state of a new job has: as many tasks can work at once.

    Parameters
    ----------
    sc : SparkContext
        of the job
    """
    return PARTITIONS.read(conf_of(sc)) or default_parallelism(sc)


def expected_cores(conf: SparkConf, master: str) -> int:
    """Return how many cores the executors have that settings name; 0 where they do not say.

    Parameters
    ----------
    conf : SparkConf
        the job's settings
    master : str
        of its cluster
    """
    if master.startswith("local"):
        return 0  # one process has all cores, whatever is set for executors
    usual = "1" if master.startswith(_ONE_CORE) else "0"
    cores = _number(conf.get(_CORES) or usual)
    is_standalone = master.startswith("spark:")
    # a standalone cluster starts as many executors as it has cores for, or up to spark.cores.max
    executors = 0 if is_standalone else _number(conf.get(_INSTANCES) or "0")
    if (conf.get(_DYNAMIC) or "false").strip().lower() == "true":
        executors = max(executors, _number(conf.get(_MOST) or "0"))
    most = _number(conf.get(_ALL_CORES) or "0") if is_standalone else 0
    return min(executors * cores, most) if most else executors * cores


def _number(text: str) -> int:
    # Spark says what is wrong with others; its own default of the most executors has 2147483647
    return int(text) if text.strip().isdecimal() and int(text) < 1 << 20 else 0
