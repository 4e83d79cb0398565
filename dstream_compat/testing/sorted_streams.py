"""Knows which streams promise the order of their records: those that a transform has sorted."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, Final

from .calls import call_of
from .captured_rdds import is_sorted

_NARROW: Final = ("map", "filter", "flatMap", "mapValues", "flatMapValues", "mapPartitions", "glom")
_SORTS: Final = ("sortBy", "sortByKey")
_numbers = itertools.count()


class SortedTransforms:
    """Which transforms have given sorted RDDs."""

    def __init__(self) -> None:
        self._found: set[int] = set()

    def add(self, number: int) -> None:
        """Note that a transform has given a sorted RDD."""
        self._found.add(number)

    def any(self, numbers: tuple[int, ...]) -> bool:
        """Return whether one of some transforms has given a sorted RDD."""
        return not self._found.isdisjoint(numbers)


FOUND = SortedTransforms()


def note_sorted(number: int, work: Callable[[Any, Any], Any], time: Any, rdd: Any) -> Any:
    """Carry out the function of a transform, and note whether its RDD is sorted."""
    result = work(time, rdd)
    if is_sorted(result):
        FOUND.add(number)
    return result


def watch_sorting(rdd: Any) -> None:
    """Let RDDs know that they are sorted."""
    for name in _SORTS:
        _mark(rdd, name)


def _mark(rdd: Any, name: str) -> None:
    sort = getattr(rdd, name)

    @functools.wraps(sort)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        result = sort(self, *args, **options)
        result._is_sorted = True
        return result

    setattr(rdd, name, call)


def number_of_transform() -> int:
    """Return a number for one more transform."""
    return next(_numbers)


def transforms(stream: Any) -> tuple[int, ...]:
    """Return the transforms whose order a stream keeps."""
    call = call_of(stream)
    if call is None:
        return ()
    if call.operator == "transform":
        return (stream._number_of_transform,)
    parents = call.parents if call.operator in _NARROW else ()
    return tuple(number for parent in parents for number in transforms(parent))
