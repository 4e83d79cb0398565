"""Records what a function of a batch gives out: frames shown, records saved, lines and files.

It works in the process of the job, and in the worker in which Spark Connect runs functions of
``foreachBatch``: events are appended to a file.

A call is named by where it stands: by the lines of the job's code through which it was reached.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from .calls import made_by, place
from .values import encode, written
from .written_files import WrittenFiles

_KEEP_ORDER: Final = ("Project", "GlobalLimit", "LocalLimit", "Filter", "SubqueryAlias")
FILE_METHODS: Final = ("text", "parquet", "json", "csv", "orc", "save", "saveAsTable", "insertInto")


class Captured:
    """What one output of a job gives out in one batch.

    Parameters
    ----------
    number : int
        of the output, or of the query
    script : str
        the file of the job, by which its lines are known
    """

    def __init__(self, number: int, script: str) -> None:
        self.number = number
        self.events: list[dict[str, Any]] = []
        self._script = script

    def add(self, kind: str, records: list[Any], **more: Any) -> None:
        """Note records that were given out."""
        event = {"output": self.number, "site": self._site(), "kind": kind, "records": records}
        self.events.append(event | more)

    def _site(self) -> list[int]:
        lines = []
        frame = sys._getframe()
        while frame is not None:
            if frame.f_code.co_filename == self._script:
                lines.append(frame.f_lineno)
            frame = frame.f_back  # type: ignore[assignment]
        return lines[::-1]


class _Printed(io.StringIO):
    """What is printed while a function of a batch runs, but for what the job's main thread prints.

    Parameters
    ----------
    before : file
        where that goes
    """

    def __init__(self, before: Any) -> None:
        super().__init__()
        self._before = before
        self._own = threading.current_thread()

    def write(self, text: str) -> int:
        main = threading.main_thread()
        if threading.current_thread() is main and self._own is not main:
            return int(self._before.write(text))
        return super().write(text)


_one_at_a_time = threading.RLock()
_current: Captured | None = None
_files = WrittenFiles()


def current() -> Captured | None:
    """Return what the running output of this process adds its events to."""
    return _current


def watch_files() -> None:
    """Notice the files that the job's own code writes from now on."""
    _files.watch()


@contextlib.contextmanager
def not_by_the_job() -> Iterator[None]:
    """Notice no files that the body writes, because it does so for a job to read them."""
    with _files.paused():
        yield


def forget_files() -> None:
    """Notice no more files that the job's own code writes."""
    _files.forget()


@contextlib.contextmanager
def capturing(number: int, script: str) -> Iterator[Captured]:
    """Record what the body gives out; the events are complete when it has ended."""
    global _current
    with _one_at_a_time:  # queries run at the same time, but standard output is one
        output, printed = Captured(number, script), _Printed(sys.stdout)
        _files.watch()
        before, _current = _current, output
        try:
            with contextlib.redirect_stdout(printed):
                yield output
        finally:
            _current = before
            lines = printed.getvalue().splitlines()
            output.add("lines", [encode(line) for line in lines])
            for name, texts in _files.changes():
                output.add("files", [encode(text) for text in texts], path=name)


def append(events: str, found: list[dict[str, Any]]) -> None:
    """Append events to a file, which several threads and processes do at the same time."""
    with open(events, "a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.writelines(json.dumps(event) + "\n" for event in found)
        file.flush()


def watch_frames(frame: type, writer: type) -> None:
    """Let frames tell what they show, and their writers what they write."""
    if "_is_watched" in vars(frame):
        return
    frame._is_watched = True  # type: ignore[attr-defined]
    show = frame.show  # type: ignore[attr-defined]

    @functools.wraps(show)
    def shown(self: Any, n: int = 20, *args: Any, **options: Any) -> None:
        if _current is None:
            show(self, n, *args, **options)
        else:
            _current.add("shown", _rows(self), n=n, name=place("show"), **_about(self))

    frame.show = shown  # type: ignore[attr-defined]
    for name in FILE_METHODS:
        _watch_writer(writer, name)


def _watch_writer(writer: Any, name: str) -> None:
    write = getattr(writer, name)

    @functools.wraps(write)
    def saved(self: Any, *args: Any, **options: Any) -> None:
        if _current is None:
            write(self, *args, **options)
        else:
            frame = _frame(self)
            target = str(options.get("path", args[0] if args else ""))
            about = _about(frame) | {"target": target}
            _current.add("saved", _rows(frame), name=place(name), **about)

    setattr(writer, name, saved)


def _rows(frame: Any) -> list[Any]:
    return [encode(row) for row in frame.collect()]


def _about(frame: Any) -> dict[str, Any]:
    return {"operator": made_by(frame), "ordered": is_sorted(frame)}


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


def watch_rdds(rdd: Any) -> None:
    """Let RDDs tell what they save as text; only relative paths are written to, too."""
    save = rdd.saveAsTextFile

    @functools.wraps(save)
    def saved(self: Any, path: str, *args: Any) -> None:
        if _current is not None:
            records = [written(record) for record in self.collect()]
            about = {"operator": made_by(self), "target": path}
            _current.add("saved", records, name=place("saveAsTextFile"), **about)
        if _current is None or not (os.path.isabs(path) or ":" in path):
            save(self, path, *args)

    rdd.saveAsTextFile = saved


class BatchFunction:
    """A function of ``foreachBatch`` whose outputs are recorded, wherever it runs."""

    def __init__(
        self,
        function: Callable[[Any, int], None],
        number: int,
        places: dict[str, str],
        about: tuple[str, str] | None = None,
    ) -> None:
        self._about = about
        self._function = function
        self._number = number
        self._places = places
        self._written = _files.names()

    def __call__(self, batch: Any, batch_id: int) -> None:
        # Spark Connect runs this in a process of its own, which starts in another folder
        os.chdir(self._places["folder"])
        _files.know(self._written)
        watch_frames(type(batch), type(batch.write))
        events: list[dict[str, Any]] = []
        try:
            with capturing(self._number, self._places["script"]) as output:
                events = output.events
                if self._about is not None:
                    # computed once, for us and for the function
                    batch.persist()
                    name, operator = self._about
                    output.add("batch", _rows(batch), name=name, operator=operator)
                self._function(batch, batch_id)
        finally:
            append(self._places["events"], events)
            if self._about is not None:
                batch.unpersist()


class Sink:
    """A function of ``foreachBatch`` that stands for a sink."""

    def __init__(self, kind: str, n: int | None, **about: Any) -> None:
        self._kind = kind
        self._more = about if n is None else about | {"n": n}

    def __call__(self, batch: Any, batch_id: int) -> None:
        assert _current is not None
        _current.add(self._kind, _rows(batch), **self._more)
