"""Lets Spark retry a task whose user code raises; only the last attempt fails the batch."""

from __future__ import annotations

from pyspark import TaskContext

from ..wire import errors
from ..wire.task_properties import ATTEMPTS


class AttemptFailedError(errors.InternalError):
    """User code failed in a task that Spark will try again. Not an Exception: nobody keeps it."""


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
        allowed = int(task.getLocalProperty(ATTEMPTS) or 1)
        if task.attemptNumber() + 1 < allowed:
            raise AttemptFailedError(f"{error!r}; Spark will run this task again") from error
    return errors.dump(errors.capture(error))
