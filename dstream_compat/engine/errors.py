"""User errors as data: an exception travels in a frame instead of killing the query."""

from __future__ import annotations

import os
import pickle
import traceback
from pathlib import Path
from typing import Final, NamedTuple

from pyspark import cloudpickle

USER_ERRORS: Final = (Exception, SystemExit)
"""What user code may raise; anything else (memory, interrupts) is Spark's to handle."""

_OWN = str(Path(__file__).resolve().parent.parent) + os.sep


class CapturedError(NamedTuple):
    """A user exception with the traceback text of the process where it was raised."""

    text: str
    summary: str
    pickled: bytes | None

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


def capture(error: BaseException) -> CapturedError:
    """Return a user exception as data; frames of this package are left out of its traceback."""
    stack = [f for f in traceback.extract_tb(error.__traceback__) if not _is_own(f.filename)]
    lines = ["Traceback (most recent call last):\n", *traceback.format_list(stack)]
    lines += traceback.format_exception_only(error)
    if error.__cause__ is not None:
        lines = [*traceback.format_exception(error.__cause__), "\nCaused:\n\n", *lines]
    try:
        pickled = cloudpickle.dumps(  # type: ignore[no-untyped-call]
            error.with_traceback(None), 5
        )
        pickle.loads(pickled)
    except Exception:  # many exceptions cannot be pickled; the text is what must survive
        pickled = None
    summary = traceback.format_exception_only(error)[-1].strip()
    return CapturedError("".join(lines), summary, pickled)


def dump(error: CapturedError) -> bytes:
    """Return the payload of an ERROR frame."""
    return pickle.dumps(tuple(error), 5)


def load(payload: bytes | memoryview) -> CapturedError:
    """Return the error that an ERROR frame carries."""
    return CapturedError(*pickle.loads(payload))
