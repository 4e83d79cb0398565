"""Records what functions of batches do with RDDs: save, send, collect and transform them."""

from __future__ import annotations

import functools
import inspect
import os
import threading
from collections.abc import Callable
from typing import Any, Final

from .calls import name_of_call, place
from .capture import Captured, current
from .client_calls import CALLS
from .values import encode, written_record

_SENDS: Final = ("foreach", "foreachPartition")
# what gives the function records in the order of the RDD, in none, and sorted
_IN_ORDER: Final = ("collect", "take", "toLocalIterator", "collectWithJobGroup")
_UNORDERED: Final = ("collectAsMap", "countByKey", "countByValue", "lookup", "takeSample")
_SORTS: Final = ("takeOrdered", "top")
_calls = threading.local()


def watch_rdds(rdd: type) -> None:
    """Let RDDs tell what is done with them; they are saved to relative paths only.

    Parameters
    ----------
    rdd : type
        the class, of which the methods that it defines itself are watched
    """
    for name, method in list(vars(rdd).items()):
        if not inspect.isfunction(method):
            continue
        if name == "saveAsTextFile":
            setattr(rdd, name, _watch_save(method))
        elif name in _SENDS:
            setattr(rdd, name, _watch_send(name, method))
        elif name in (*_IN_ORDER, *_UNORDERED, *_SORTS):
            setattr(rdd, name, _watch_collect(name, method))
        elif not name.startswith("_"):
            setattr(rdd, name, _watch_derive(method))


def is_sorted(rdd: Any) -> bool:
    """Return whether an RDD is sorted, or made of a sorted one partition by partition."""
    parent = rdd
    while parent is not None and not getattr(parent, "_is_sorted", False):
        # only RDDs that Python computes from another one, partition by partition, have it
        parent = getattr(parent, "__dict__", {}).get("prev")
    return parent is not None


def _watch_save(save: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(save)
    def call(self: Any, path: str, *args: Any) -> None:
        output = current()
        if output is not None:
            records = [written_record(record) for record in _records(self)]
            about = {"operator": name_of_call(self), "target": path}
            output.add("saved", records, name=place("saveAsTextFile"), **about)
        if output is None or not (os.path.isabs(path) or ":" in path):
            call_unnoticed(save, self, path, *args)

    return call


def _watch_send(name: str, send: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(send)
    def call(self: Any, f: Any) -> None:
        output = noticing_output()
        if output is not None:
            records = [encode(record) for record in _records(self)]
            output.add("sent", records, name=place(name), operator=name_of_call(self))
        call_unnoticed(send, self, f)

    return call


def _watch_collect(name: str, collect: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(collect)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        output = noticing_output()
        if output is not None:
            output.collects(name in _SORTS or (name in _IN_ORDER and is_sorted(self)))
        return call_unnoticed(collect, self, *args, **options)

    return call


def _watch_derive(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        output = noticing_output()
        if output is None:
            return method(self, *args, **options)
        result = call_unnoticed(method, self, *args, **options)
        output.derives |= hasattr(result, "mapPartitions") and result is not self
        return result

    return call


def _records(rdd: Any) -> list[Any]:
    with CALLS.not_the_jobs():
        return list(call_unnoticed(type(rdd).collect, rdd))


def noticing_output() -> Captured | None:
    """Return the output whose function calls, or None for calls that are not the job's own."""
    return None if getattr(_calls, "inside", False) else current()


def call_unnoticed(method: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call a method, and notice nothing of what it calls itself.

    Parameters
    ----------
    method : callable
        the method
    *args, **options : object
        its arguments
    """
    before, _calls.inside = getattr(_calls, "inside", False), True
    try:
        return method(*args, **options)
    finally:
        _calls.inside = before
