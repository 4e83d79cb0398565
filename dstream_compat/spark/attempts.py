"""How often Spark tries a task: by its settings, and as its tasks are told.

Decision 0053: A user's error counts after the last attempt of the task.
"""

from __future__ import annotations

import re
from typing import Final

from pyspark import SparkContext

from ..wire.task_properties import ATTEMPTS
from .conf import conf_of

_LOCAL: Final = re.compile(r"local(?:\[[^,\]]*(?:,\s*(?P<failures>\d+)\s*)?\])?")
_SETTING: Final = "spark.task.maxFailures"
_EXCLUDES: Final = (
    "spark.excludeOnFailure.enabled",
    "spark.excludeOnFailure.application.enabled",
    "spark.excludeOnFailure.taskAndStage.enabled",
)
_DEFAULT: Final = 4


def attempts_of(sc: SparkContext) -> int:
    """Return how many attempts Spark makes at a task.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """
    conf = conf_of(sc)
    if any((conf.get(name) or "false").lower() == "true" for name in _EXCLUDES):
        # Spark would give up on a stage, and thereby on the query, before the last attempt.
        return 1
    return allowed_attempts(sc.master or "", conf.get(_SETTING))


def set_allowed_attempts(sc: SparkContext, allowed: int) -> None:
    """Tell the tasks of all jobs that this thread starts from now on how often Spark tries them.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    allowed : int
        number of attempts
    """
    sc.setLocalProperty(ATTEMPTS, str(allowed))


def allowed_attempts(master: str, setting: str | None) -> int:
    """Return how many attempts Spark makes at a task, by its settings.

    Parameters
    ----------
    master : str
        the master's URL; a local one makes one attempt, or as many as it names (``local[2,4]``)
    setting : str, optional
        the value of ``spark.task.maxFailures``, which counts on a cluster
    """
    local = _LOCAL.fullmatch(master)
    if local:
        return int(local["failures"] or 1)
    return int(setting or _DEFAULT)
