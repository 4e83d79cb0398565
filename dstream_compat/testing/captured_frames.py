"""Records what functions of batches do with frames: show, write, send, collect and transform."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final

from .calls import name_of_call, place
from .capture import current
from .captured_rdds import call_unnoticed, noticing_output
from .client_calls import CALLS
from .values import encode

_KEEP_ORDER: Final = ("Project", "GlobalLimit", "LocalLimit", "Filter", "SubqueryAlias")
FILE_METHODS: Final = ("text", "parquet", "json", "csv", "orc", "save", "saveAsTable", "insertInto")
_SENDS: Final = ("foreach", "foreachPartition")
_COLLECTS: Final = ("collect", "take", "head", "tail", "toLocalIterator", "toPandas")
# what others make frames of
_DERIVES: Final = ("groupBy", "groupby", "rollup", "cube", "groupingSets", "registerTempTable")
_VIEWS: Final = ("createTempView", "createOrReplaceTempView", "createGlobalTempView")


def watch_frames(frame: type, writer: type) -> None:
    """Let frames tell what is done with them, and their writers what they write.

    Parameters
    ----------
    frame, writer : type
        the classes
    """
    if "_is_watched" in vars(frame):
        return
    frame._is_watched = True  # type: ignore[attr-defined]
    for name, method in inspect.getmembers(frame, inspect.isfunction):
        if name == "show":
            frame.show = _watch_show(method)  # type: ignore[attr-defined]
        elif name in _SENDS:
            setattr(frame, name, _watch_send(name, method))
        elif name in _COLLECTS:
            setattr(frame, name, _watch_collect(method))
        elif not name.startswith("_"):
            setattr(frame, name, _watch_derive(name, method))
    rdd = inspect.getattr_static(frame, "rdd", None)
    if isinstance(rdd, property) and rdd.fget is not None:
        frame.rdd = property(_watch_derive("rdd", rdd.fget))  # type: ignore[attr-defined]
    for name in FILE_METHODS:
        _watch_writer(writer, name)


def _watch_show(show: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(show)
    def call(self: Any, n: int = 20, *args: Any, **options: Any) -> None:
        output = current()
        if output is None:
            show(self, n, *args, **options)
        else:
            output.add("shown", rows_of(self), n=n, name=place("show"), **_about(self))

    return call


def _watch_send(name: str, send: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(send)
    def call(self: Any, f: Any) -> None:
        if (output := noticing_output()) is not None:
            output.add("sent", rows_of(self), name=place(name), operator=name_of_call(self))
        call_unnoticed(send, self, f)

    return call


def _watch_collect(collect: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(collect)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        if (output := noticing_output()) is not None:
            output.collects(is_sorted(self))
        return call_unnoticed(collect, self, *args, **options)

    return call


def _watch_derive(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: Any, *args: Any, **options: Any) -> Any:
        output = noticing_output()
        if output is None:
            return method(self, *args, **options)
        result = call_unnoticed(method, self, *args, **options)
        makes = isinstance(result, type(self)) and result is not self
        output.derives |= makes or name in (*_DERIVES, *_VIEWS, "rdd")
        return result

    return call


def _watch_writer(writer: Any, name: str) -> None:
    write = getattr(writer, name)

    @functools.wraps(write)
    def call(self: Any, *args: Any, **options: Any) -> None:
        output = current()
        if output is None:
            write(self, *args, **options)
        else:
            frame = _frame(self)
            target = str(options.get("path", args[0] if args else ""))
            about = _about(frame) | {"target": target}
            output.add("saved", rows_of(frame), name=place(name), **about)

    setattr(writer, name, call)


def rows_of(frame: Any) -> list[Any]:
    """Return the rows of a frame, encoded.

    Parameters
    ----------
    frame : DataFrame
        the frame
    """
    with CALLS.not_the_jobs():
        return [encode(row) for row in call_unnoticed(type(frame).collect, frame)]


def _about(frame: Any) -> dict[str, Any]:
    return {"operator": name_of_call(frame), "ordered": is_sorted(frame)}


def is_sorted(frame: Any) -> bool:
    """Return whether a frame's plan ends with a sort, so that the order of its rows is promised."""
    if not hasattr(frame, "_jdf"):
        return False
    plan = frame._jdf.queryExecution().analyzed()
    while plan.nodeName() in _KEEP_ORDER:
        plan = plan.children().head()
    return bool(plan.nodeName() == "Sort" and getattr(plan, "global")())


def _frame(writer: Any) -> Any:
    if hasattr(writer._df, "collect"):
        return writer._df
    from pyspark.sql.connect.dataframe import DataFrame

    return DataFrame(writer._df, writer._spark)
