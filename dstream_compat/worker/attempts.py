"""Lets Spark retry a task whose user code raises; only the last attempt fails the batch."""

from __future__ import annotations

import re
from typing import Final

from pyspark import SparkContext, TaskContext

from ..wire import errors

_ALLOWED: Final = "dstream_compat.attempts"
_LOCAL: Final = re.compile(r"local(?:\[[^,\]]*(?:,\s*(?P<failures>\d+)\s*)?\])?")
_SETTING: Final = "spark.task.maxFailures"
_EXCLUDES: Final = (
    "spark.excludeOnFailure.enabled",
    "spark.excludeOnFailure.application.enabled",
    "spark.excludeOnFailure.taskAndStage.enabled",
)
_DEFAULT: Final = 4


class AttemptFailedError(errors.InternalError):
    """User code failed in a task that Spark will try again. Not an Exception: nobody keeps it."""


def attempts_of(sc: SparkContext) -> int:
    """Return how many attempts Spark makes at a task.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """
    conf = sc.getConf()
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
    sc.setLocalProperty(_ALLOWED, str(allowed))


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


def error_of(error: BaseException) -> bytes:
    """Return the payload of the ERROR frames of what user code has raised in a task.

    Raises
    ------
    AttemptFailedError
        if Spark will try the task again, as it does in jobs that fail by their tasks
    BaseException
        the given one, if it is not of user code
    """
    if isinstance(error, errors.NOT_OF_USERS):
        raise error
    task = TaskContext.get()
    if task is not None:
        allowed = int(task.getLocalProperty(_ALLOWED) or 1)
        if task.attemptNumber() + 1 < allowed:
            raise AttemptFailedError(f"{error!r}; Spark will run this task again") from error
    return errors.dump(errors.capture(error))
