"""Compares what the engines say when they refuse: the same words, in a fitting type of Python."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException

from dstream_compat.exceptions import StreamingStateError

Refusals = dict[str, BaseException | None]
"""Case to what it raised."""

TYPES: Final[Mapping[str, tuple[type[BaseException], ...]]] = {
    "IllegalStateException": (StreamingStateError,),
    "UnsupportedOperationException": (StreamingStateError,),
    "SparkException": (StreamingStateError,),
    "IllegalArgumentException": (StreamingStateError, ValueError),
    "NoSuchElementException": (ValueError,),
    "IOException": (pickle.PicklingError,),  # what the checkpoint's writer wraps errors in
}
"""What ours may be for an exception of Java; those of Python stay."""

_CLASS: Final = re.compile(r"(?:\w+\.)*\w+DStream(?:@\w+)?(?= )")
_PYTHON: Final = re.compile(r"^[\w.]*PicklingError: (.*)$", re.MULTILINE)


def refusal(call: Callable[[], Any]) -> BaseException | None:
    """Return what a call raises."""
    try:
        call()
    except Exception as error:
        return error
    return None


def java_class_of(error: BaseException) -> str | None:
    """Return the plain name of the Java exception that an error stands for, if it does."""
    if isinstance(error, Py4JJavaError):
        return str(error.java_exception.getClass().getSimpleName())
    # PySpark has classes for some of them, once there is a SparkSession.
    return type(error).__name__ if isinstance(error, CapturedException) else None


def words_of(error: BaseException) -> str:
    """Return the first line of what Spark says, or the last one of Python's in it."""
    text = str(error)
    if isinstance(error, Py4JJavaError):
        text = error.java_exception.getMessage()
    if java_class_of(error) is not None and (found := _PYTHON.findall(text)):
        return str(found[-1])
    first, *_ = text.splitlines() or [""]
    return first.removeprefix("requirement failed: ").strip()


def check_refusals(real: Refusals, ours: Refusals, different: Mapping[str, str]) -> None:
    """Assert that both engines refuse the same, with the same words.

    Parameters
    ----------
    real, ours : dict
        what was raised
    different : mapping
        case to what ours says where it differs on purpose
    """
    assert {n for n, e in ours.items() if e is None} == {n for n, e in real.items() if e is None}
    assert set(different) <= set(real)
    for name, spark in real.items():
        mine = ours[name]
        if spark is None or mine is None:
            continue
        java = java_class_of(spark)
        expected = (type(spark),) if java is None else TYPES[java]
        assert isinstance(mine, expected), (name, mine)
        words = words_of(spark)
        assert words
        if name in different:
            assert different[name] in str(mine), (name, words)
            assert not _said(words, mine), f"{name} need not be in the table"
        else:
            assert _said(words, mine), (name, words, str(mine))


def _said(words: str, error: BaseException) -> bool:
    """Return whether an error says Spark's words; the class of a stream is our name for it."""
    pattern = r"\w+".join(re.escape(part) for part in _CLASS.split(words))
    return re.search(re.sub(r"(\\ )+", r"\\s+", pattern), str(error)) is not None
