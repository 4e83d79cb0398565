"""Records what a function of a batch gives out: frames shown, records saved, lines and files.

It works in the process of the job, and in the worker in which Spark Connect runs functions of
``foreachBatch``: events are appended to a file.

A call is named by where it stands: by the lines of the job's code through which it was reached.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.support.structured.values import encode, written

FILE_METHODS = ("text", "parquet", "json", "csv", "orc", "save", "saveAsTable", "insertInto")
_IGNORED = (".", "_", "part-", "spark-warehouse", "artifacts", "metastore_db", "derby.log")


class Output:
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


_watched: set[type] = set()
_one_at_a_time = threading.RLock()
_current: Output | None = None


@contextlib.contextmanager
def capturing(number: int, script: str, events: str, **more: Any) -> Iterator[Output]:
    """Record what the body gives out; append it to a file, with more values for each event."""
    global _current
    with _one_at_a_time:  # queries run at the same time, but standard output is one
        output, printed = Output(number, script), io.StringIO()
        before = contents(Path.cwd())
        _current = output
        try:
            with contextlib.redirect_stdout(printed):
                yield output
        finally:
            _current = None
        lines = printed.getvalue().splitlines()
        output.add("lines", [encode(line) for line in lines])
        for name, texts in contents(Path.cwd()).items():
            old = before.get(name, [])
            if texts != old:
                new = texts[len(old) :] if texts[: len(old)] == old else texts
                output.add("files", [encode(text) for text in new], path=name)
        append(events, [event | more for event in output.events])


def append(events: str, found: list[dict[str, Any]]) -> None:
    with open(events, "a", encoding="utf-8") as file:
        file.writelines(json.dumps(event) + "\n" for event in found)


def contents(folder: Path) -> dict[str, list[str]]:
    """Return the lines of the files in a folder that Python wrote: Spark's are records."""
    found = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        other = "checkpoint" in parts[0] or any(part.startswith(_IGNORED) for part in parts)
        if not other and path.is_file() and path.suffix != ".pyc":
            text = path.read_text(encoding="utf-8", errors="replace")
            found["/".join(parts)] = text.splitlines()
    return found


def watch_frames(frame: type, writer: type) -> None:
    """Let frames tell what they show, and their writers what they write."""
    if frame in _watched:
        return
    _watched.add(frame)
    show = frame.show  # type: ignore[attr-defined]

    @functools.wraps(show)
    def shown(self: Any, n: int = 20, *args: Any, **options: Any) -> None:
        if _current is None:
            show(self, n, *args, **options)
        else:
            _current.add("shown", [encode(row) for row in self.collect()], n=n)

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
            _current.add("saved", [encode(row) for row in _frame(self).collect()])

    setattr(writer, name, saved)


def _frame(writer: Any) -> Any:
    if hasattr(writer._df, "collect"):
        return writer._df
    from pyspark.sql.connect.dataframe import DataFrame

    return DataFrame(writer._df, writer._spark)


def watch_rdds(rdd: Any) -> None:
    """Let RDDs tell what they save as text, beside saving it."""
    save = rdd.saveAsTextFile

    @functools.wraps(save)
    def saved(self: Any, path: str, *args: Any) -> None:
        if _current is not None:
            _current.add("saved", [written(record) for record in self.collect()])
        save(self, path, *args)

    rdd.saveAsTextFile = saved


class BatchFunction:
    """A function of ``foreachBatch`` whose outputs are recorded, wherever it runs."""

    def __init__(
        self, function: Callable[[Any, int], None], number: int, places: dict[str, str]
    ) -> None:
        self._function = function
        self._number = number
        self._places = places

    def __call__(self, batch: Any, batch_id: int) -> None:
        # Spark Connect runs this in a process of its own, which starts in another folder
        os.chdir(self._places["folder"])
        watch_frames(type(batch), type(batch.write))
        with capturing(self._number, self._places["script"], self._places["events"]):
            self._function(batch, batch_id)


class Sink:
    """A function of ``foreachBatch`` that stands for a sink."""

    def __init__(self, kind: str, n: int | None) -> None:
        self._kind = kind
        self._more = {} if n is None else {"n": n}

    def __call__(self, batch: Any, batch_id: int) -> None:
        assert _current is not None
        _current.add(self._kind, [encode(row) for row in batch.collect()], **self._more)
