"""User errors as data: an exception travels in a frame instead of killing the query."""

from __future__ import annotations

import builtins
import os
import pickle
import re
import traceback
from pathlib import Path
from typing import Final, NamedTuple

from py4j.protocol import Py4JJavaError
from pyspark import cloudpickle
from pyspark.errors import PySparkException

USER_ERRORS: Final = (BaseException,)
"""What user code may raise: some libraries have errors that are no ``Exception``."""


class InternalError(BaseException):
    """What fails a task, and is not to be taken for an error of user code."""


class WorkerLacksError(InternalError):
    """A worker lacked memory or disk: the task must fail and run again."""


NOT_OF_USERS: Final = (InternalError, GeneratorExit, KeyboardInterrupt)
"""What stays as it is: our own errors, and what ends a generator or a process."""

SPARK_ERRORS: Final = (Py4JJavaError, PySparkException)
"""What a failing Spark job raises on the driver: PySpark converts some exceptions of the JVM."""

PLANNED: Final = -1

_WORKER: Final = re.compile(
    r"(?:PythonException: |An exception was thrown from the Python worker\b.*\n)"
    r"(?P<trace>Traceback \(most recent call last\):\n(?:.*\n)*?"
    r"(?P<summary>[A-Za-z_][\w.]*(?:: .*)?)\n)(?=\n|\tat |\Z)"
)
"""How Spark shows the exception of a Python worker; lines of Java may follow."""

_OWN = str(Path(__file__).resolve().parent.parent) + os.sep


class CapturedError(NamedTuple):
    """A user exception with the traceback text of the process where it was raised.

    Parameters
    ----------
    text : str
        the traceback
    summary : str
        its last line
    pickled : bytes, optional
        the exception, if it can be pickled
    since : int
        time of the batch (milliseconds) whose state has kept it, for later batches; 0 if none has,
        ``PLANNED`` if it came instead of the input
    """

    text: str
    summary: str
    pickled: bytes | None
    since: int = 0

    def exception(self) -> BaseException | None:
        """Return the original exception object, or None when it could not be pickled."""
        if self.pickled is None:
            return None
        try:
            error = pickle.loads(self.pickled)
        except Exception:  # its class cannot be rebuilt here: the text says what happened
            return None
        return error if isinstance(error, BaseException) else None


def _is_own(filename: str) -> bool:
    return filename.startswith(_OWN) or "dstream_compat.zip" in filename


def _of_worker(text: str) -> CapturedError | None:
    """Return the user's exception in the text of a Spark job that failed in a Python worker."""
    match = _WORKER.search(text + "\n")
    if match is None:
        return None
    trace, summary = match["trace"].strip() + "\n", match["summary"].strip()
    name, _, message = summary.partition(": ")
    kind = getattr(builtins, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        return CapturedError(trace, summary, None)
    try:
        pickled = pickle.dumps(kind(message), 5)
    except Exception:  # its class wants other arguments: the text is what must survive
        pickled = None
    return CapturedError(trace, summary, pickled)


def capture(error: BaseException) -> CapturedError:
    """Return a user exception as data; frames of this package are left out of its traceback."""
    stack = [f for f in traceback.extract_tb(error.__traceback__) if not _is_own(f.filename)]
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(stack)]
    lines += traceback.format_exception_only(error)
    if error.__cause__ is not None:
        lines = [*traceback.format_exception(error.__cause__), "\nCaused:\n\n", *lines]
    elif error.__context__ is not None and not error.__suppress_context__:
        lines = [*traceback.format_exception(error.__context__), "\nThen came:\n\n", *lines]
    try:
        pickled = cloudpickle.dumps(error, 5)  # type: ignore[no-untyped-call]
        pickle.loads(pickled)
    except Exception:  # many exceptions cannot be pickled; the text is what must survive
        pickled = None
    summary = traceback.format_exception_only(error)[-1].strip()
    return CapturedError("".join(lines), summary, pickled)


def capture_root(error: BaseException) -> CapturedError:
    """Return as data what the user's code in a worker raised, if that made a Spark job fail."""
    captured = _of_worker(str(error)) if isinstance(error, SPARK_ERRORS) else None
    return captured or capture(error)


def dump(error: CapturedError) -> bytes:
    """Return the payload of an ERROR frame."""
    return pickle.dumps(tuple(error), 5)


def load(payload: bytes | memoryview) -> CapturedError:
    """Return the error that an ERROR frame carries."""
    return CapturedError(*pickle.loads(payload))
